import Foundation
import StoreDiagnostics
import StoreModel
import StoreModelReader
import TestSupport
import Testing

/// Finding models and their versions in the file system.
struct ModelBundleTests {
  private let folder: TemporaryFolder
  private let model = #"<model><entity name="E"/></model>"#

  init() throws {
    folder = try TemporaryFolder()
  }

  private func declare(_ body: String) -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
    "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0"><dict>\(body)</dict></plist>
    """
  }

  private func declare(version: String) -> String {
    declare("<key>_XCCurrentVersionName</key><string>\(version)</string>")
  }

  private func versions(_ names: String..., in bundle: String) throws {
    for name in names { try folder.write(model, to: "\(bundle)/\(name).xcdatamodel/contents") }
  }

  /// The case of extensions is ignored, so two folders can have the same name without their extensions.
  private static let isFolding: Comment = "this file system takes both names for one"

  @Test(.enabled(if: TemporaryFolder.distinguishesSpellings, isFolding))
  func twoVersionsOfOneNameAreRefused() throws {
    try versions("App", "App 2", in: "App.xcdatamodeld")
    try folder.write(model, to: "App.xcdatamodeld/App.XCDATAMODEL/contents")
    #expect(
      throws: ModelBundleError.sameVersions("App", path: LocalPath(folder.path("App.xcdatamodeld")))
    ) {
      try ModelBundle(at: folder.path("App.xcdatamodeld"))
    }
    let content = ModelContent { [] }
    #expect(throws: ModelBundleError.sameVersions("\\xFF", path: "main:App.xcdatamodeld")) {
      try ModelBundle(
        at: "App.xcdatamodeld", in: "main:",
        files: [
          LocalPath(bytes: [0xff] + Array(".xcdatamodel/contents".utf8)): content,
          "\\xFF.xcdatamodel/contents": content,
        ])
    }
  }

  /// The files of a revision in version control.
  @Test func filesThatLieInNoFolder() throws {
    let content = ModelContent {
      Array(#"<model><entity name="E" parentEntity="X"/></model>"#.utf8)
    }
    let good = ModelContent { Array(#"<model><entity name="E"/></model>"#.utf8) }
    let declared = declare(version: "App 10.xcdatamodel")
    let bundle = try #require(
      try ModelBundle(
        at: "App.xcdatamodeld", in: "main:",
        files: [
          "App 10.xcdatamodel/contents": good, "App 9.xcdatamodel/contents": content,
          "App 1.xcdatamodel/elements": good, "App 2.xcdatamodel": good, "notes.txt": good,
        ], declaration: { Array(declared.utf8) }))
    #expect(bundle.name == "App")
    #expect(bundle.versions.map(\.name) == ["App 1", "App 2", "App 9", "App 10"])
    #expect(bundle.versions.map(\.isReadable) == [false, true, true, true])
    #expect(bundle.currentVersion?.name == "App 10")
    #expect(try bundle.version(named: "App 10").read().model.entities.map(\.name) == ["E"])
    #expect(
      message { _ = try bundle.version(named: "App 9").read() }
        .hasPrefix("main:App.xcdatamodeld/App 9.xcdatamodel/contents:1:"))
    let broken = try ModelBundle(
      at: "A.xcdatamodeld", in: "x:", files: ["1.xcdatamodel": good, "2.xcdatamodel": good],
      declaration: { Array("<plist".utf8) })
    #expect(broken?.current == .unreadable(file: "x:A.xcdatamodeld/.xccurrentversion"))
    let lone = try ModelBundle(at: "P/M.xcdatamodel/contents", in: "x:", files: ["": good])
    #expect(lone?.currentVersion?.name == "M")
    #expect(try ModelBundle(at: "A.xcdatamodeld", in: "x:", files: ["notes.txt": good]) == nil)
  }

  private func find(_ name: String) throws -> ModelBundle {
    let found = try ModelBundle.find(at: folder.path(name))
    #expect(found.count == 1)
    return try #require(found.first)
  }

  /// Returns the rendered error, without the path of the temporary folder.
  private func message(_ body: () throws -> Void) -> String {
    do {
      try body()
      return "no error"
    } catch let error as any DiagnosableError {
      return error.diagnostics.map(DiagnosticRenderer().render).joined()
        .replacing(folder.url.path + "/", with: "")
    } catch {
      return "\(error)"
    }
  }

  @Test(.enabled(if: TemporaryFolder.distinguishesSpellings, isFolding))
  func refusesVersionsThatLookAlike() throws {
    try versions("caf\u{E9}", "cafe\u{301}", in: "Todo.xcdatamodeld")
    let text = message { _ = try find("Todo.xcdatamodeld") }
    #expect(text.contains("has two versions whose names look alike"))
    #expect(text.contains("U+00E9") && text.contains("U+0065 U+0301"))
  }

  @Test func bundleWithADeclaredVersion() throws {
    try versions("Todo 10", "Todo", "Todo 2", in: "Todo.xcdatamodeld")
    try folder.write(
      declare(version: "Todo 2.xcdatamodel"), to: "Todo.xcdatamodeld/.xccurrentversion")
    let bundle = try find("Todo.xcdatamodeld")
    #expect(bundle.name == "Todo")
    #expect(bundle.versions.map(\.name) == ["Todo", "Todo 2", "Todo 10"])
    #expect(bundle.currentVersion?.name == "Todo 2")
    #expect(try bundle.requireCurrentVersion().read().model.name == "Todo 2")
    #expect(try bundle.version(named: "Todo 10.xcdatamodel").name == "Todo 10")
  }

  @Test("a version is declared in another normalization than its folder has")
  func declarationInAnotherNormalization() throws {
    try versions("Caf\u{E9}", "Caf\u{E9} 2", in: "A.xcdatamodeld")
    try folder.write(
      declare(version: "Cafe\u{301} 2.xcdatamodel"), to: "A.xcdatamodeld/.xccurrentversion")
    #expect(try find("A.xcdatamodeld").currentVersion?.name == "Caf\u{E9} 2")
  }

  @Test(arguments: [true, false])
  func soleVersionNeedsNoDeclaration(hasEmptyFile: Bool) throws {
    try versions("A", in: "A.xcdatamodeld")
    if hasEmptyFile { try folder.write(declare(""), to: "A.xcdatamodeld/.xccurrentversion") }
    #expect(try find("A.xcdatamodeld").currentVersion?.name == "A")
  }

  @Test func severalVersionsWithoutDeclaration() throws {
    try versions("A", "B", in: "A.xcdatamodeld")
    try folder.write(declare(""), to: "A.xcdatamodeld/.xccurrentversion")
    let bundle = try find("A.xcdatamodeld")
    #expect(bundle.current == .undeclared)
    #expect(
      message { _ = try bundle.requireCurrentVersion() } == """
        error: 'A.xcdatamodeld' doesn't specify the current version [model.no-current-version]
          help: choose a version
          help: its versions are: 'A', 'B'

        """)
  }

  @Test func declaredVersionThatDoesNotExist() throws {
    try versions("A", "B", in: "A.xcdatamodeld")
    try folder.write(declare(version: "C.xcdatamodel"), to: "A.xcdatamodeld/.xccurrentversion")
    let bundle = try find("A.xcdatamodeld")
    #expect(bundle.current == .missing("C.xcdatamodel"))
    #expect(message { _ = try bundle.requireCurrentVersion() }.contains("'C.xcdatamodel'"))
  }

  @Test func declarationThatIsNoPropertyList() throws {
    try versions("A", "B", in: "A.xcdatamodeld")
    try folder.write("B", to: "A.xcdatamodeld/.xccurrentversion")
    let bundle = try find("A.xcdatamodeld")
    let file = folder.path("A.xcdatamodeld/.xccurrentversion")
    #expect(bundle.current == .unreadable(file: LocalPath(file)))
  }

  /// Foundation's reader would recurse for each array.
  @Test func declarationOfNestedArrays() throws {
    try versions("A", "B", in: "A.xcdatamodeld")
    let arrays = String(repeating: "<array>", count: 10_000)
    try folder.write(
      declare("<key>_XCCurrentVersionName</key>" + arrays), to: "A.xcdatamodeld/.xccurrentversion")
    let file = folder.path("A.xcdatamodeld/.xccurrentversion")
    #expect(try find("A.xcdatamodeld").current == .unreadable(file: LocalPath(file)))
  }

  @Test func unknownVersionNamesTheNearest() throws {
    try versions("Todo", "Todo 2", in: "Todo.xcdatamodeld")
    let bundle = try find("Todo.xcdatamodeld")
    #expect(
      message { _ = try bundle.version(named: "Toodo") } == """
        error: 'Todo.xcdatamodeld' has no version 'Toodo' [model.unknown-version]
          help: did you mean 'Todo'?
          help: its versions are: 'Todo', 'Todo 2'

        """)
  }

  @Test(arguments: [
    ("M.xcdatamodel", "M"), ("M.xcdatamodel/", "M"), ("M.xcdatamodel/contents", "M"),
    ("one.xml", "one"), ("plain/contents", "plain"), ("noExtension", "noExtension"),
  ])
  func loneModel(path: String, name: String) throws {
    try versions("M", in: ".")
    for file in ["one.xml", "plain/contents", "noExtension"] { try folder.write(model, to: file) }
    let bundle = try find(path)
    #expect(bundle.name == name)
    #expect(try bundle.requireCurrentVersion().read().model.name == name)
  }

  @Test func folderOfModels() throws {
    try versions("B", "B 2", in: "app/B.xcdatamodeld")
    try versions("A", in: "app/lib")
    try folder.write(model, to: "app/C.xml")
    try folder.write("<other/>", to: "app/other.xml")
    try folder.write(model, to: "app/.hidden/D.xml")
    try folder.write("", to: "app/empty.xcdatamodeld/.xccurrentversion")
    #expect(try ModelBundle.find(at: folder.path("app")).map(\.name) == ["B", "C", "A"])
  }

  @Test func xcode3ModelSaysWhatToDo() throws {
    try versions("M 2", in: "M.xcdatamodeld")
    try folder.write("bplist00", to: "M.xcdatamodeld/M.xcdatamodel/elements")
    let bundle = try find("M.xcdatamodeld")
    #expect(bundle.versions.map(\.form) == [.xcode3, .xml])
    #expect(
      message { _ = try bundle.versions[0].read() } == """
        error: the version 'M' is a binary Xcode 3 model: M.xcdatamodeld/M.xcdatamodel \
        [model.xcode3]
          help: open and save it in Xcode 4 or later, which converts it to XML

        """)
    let elements = try find("M.xcdatamodeld/M.xcdatamodel/elements")
    #expect(message { _ = try elements.versions[0].read() }.contains("[model.xcode3]"))
  }

  @Test func versionFolderWithoutModel() throws {
    try folder.write("", to: "M.xcdatamodel/layout")
    let bundle = try find("M.xcdatamodel")
    #expect(message { _ = try bundle.versions[0].read() }.contains("[model.no-contents]"))
  }

  @Test func nothingThere() throws {
    try folder.write("", to: "empty/readme.txt")
    #expect(
      message { _ = try find("none.xml") }.contains("none.xml' doesn't exist"))
    #expect(
      message { _ = try find("empty") } == """
        error: 'empty' doesn't contain a model [model.none]
          help: a model is an .xcdatamodeld or .xcdatamodel folder, its 'contents' file, the .xml file of a model, \
        or a compiled .momd or .mom

        """)
  }

  @Test func compiledVersions() throws {
    try folder.write("", to: "App.app/M.momd/M.mom")
    try folder.write("", to: "App.app/M.momd/M 2.mom")
    try folder.write("momv2$", to: "App.app/M.momd/M 2.omo")
    try folder.write(
      #"<plist><dict><key>NSManagedObjectModel_CurrentVersionName</key><string>M</string></dict></plist>"#,
      to: "App.app/M.momd/VersionInfo.plist")
    let bundle = try find("App.app")
    #expect(bundle.versions.map(\.name) == ["M", "M 2"])
    #expect(bundle.currentVersion?.name == "M")
    #expect(try bundle.version(named: "M 2.mom").form == .compiled)
    #expect(
      message { _ = try bundle.versions[0].read() }.hasPrefix(
        "error: the compiled model 'M' can't be read: "))
  }

  /// XML contains more than the compiled model, so it is preferred.
  @Test func compiledBesideXML() throws {
    try versions("M", "M 2", in: "M.xcdatamodeld")
    try folder.write("", to: "M.xcdatamodeld/M.mom")
    try folder.write("", to: "M.xcdatamodeld/M 0.mom")
    let bundle = try find("M.xcdatamodeld")
    #expect(bundle.versions.map(\.name) == ["M", "M 0", "M 2"])
    #expect(bundle.versions.map(\.form) == [.xml, .compiled, .xml])
  }

  @Test(arguments: [
    ["Foo", "Foo 2", "Foo 10"], ["Foo v1.4", "Foo v1.10"], ["1.9", "1.10", "2"],
    ["Model_v9", "Model_v94", "Model_v100"], ["M007", "M8"], ["a", "B", "c"],
  ])
  func naturalOrder(names: [String]) throws {
    for name in names.reversed() { try versions(name, in: "M.xcdatamodeld") }
    #expect(try find("M.xcdatamodeld").versions.map(\.name) == names)
  }
}
