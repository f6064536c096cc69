import Foundation
import StoreDiagnostics
import StoreModel
import StoreModelReader
import ModelTools
import TestSupport
import Testing

/// All versions of a model, as a bundle on disk.
struct NewModelBundleTests {
  let folder: TemporaryFolder
  var path: String { folder.path("Todo.xcdatamodeld") }

  init() throws {
    folder = try TemporaryFolder()
  }

  private func versions(_ names: String...) throws -> [NewModelBundle.Version] {
    try names.map { name in
      let model = DataModel(
        name: name, entities: [EntityDescription(name: "Item", versionHashModifier: name)])
      return NewModelBundle.Version(name: name, text: try ModelXML.text(of: model))
    }
  }

  private var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() }
  }

  @Test func isReadBack() throws {
    let bundle = try NewModelBundle(
      at: LocalPath(path + "//"), versions: versions("Todo", "Todo 2", "R&D <3>"),
      current: "R&D <3>"
    )
    try bundle.write()
    let read = try ModelBundle(at: path)
    #expect(read.versions.map(\.name).sorted() == ["R&D <3>", "Todo", "Todo 2"])
    #expect(read.currentVersion?.name == "R&D <3>")
    for version in read.versions {
      #expect(try version.read().model.entities.first?.versionHashModifier == version.name)
    }
    #expect(try names == ["Todo.xcdatamodeld"])
  }

  @Test func currentVersionIsWrittenAsXcodeDoes() throws {
    let bundle = try NewModelBundle(
      at: LocalPath(path), versions: versions("Todo", "Todo 2"), current: "Todo 2")
    let file = try #require(bundle.files.last)
    #expect(file.path == [".xccurrentversion"])
    #expect(
      String(decoding: file.bytes, as: UTF8.self) == """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">
        <dict>
        \t<key>_XCCurrentVersionName</key>
        \t<string>Todo 2.xcdatamodel</string>
        </dict>
        </plist>

        """)
  }

  @Test func withoutACurrentVersionThereIsNoFileForIt() throws {
    let bundle = try NewModelBundle(at: LocalPath(path), versions: versions("Todo"), current: nil)
    #expect(bundle.files.map(\.path) == [["Todo.xcdatamodel", "contents"]])
  }

  @Test(
    arguments: [
      ("", FileNameIssue.empty), ("../x", .slash), ("/etc/x", .slash), ("a/b", .slash),
      ("..", .leadingDot), (".hidden", .leadingDot), ("a\nb", .controlCharacter),
      ("a\0b", .controlCharacter), (String(repeating: "é", count: 122), .tooLong),
    ])
  func hostileNameIsRefused(_ name: String, _ problem: FileNameIssue) throws {
    let version = NewModelBundle.Version(name: name, text: "")
    #expect(throws: NewModelBundleError.unfitName(name, problem)) {
      try NewModelBundle(at: LocalPath(path), versions: [version], current: nil)
    }
  }

  @Test func longestNameFits() throws {
    let name = String(repeating: "é", count: 121)
    try NewModelBundle(at: LocalPath(path), versions: versions(name), current: name).write()
    #expect(try ModelBundle(at: path).versions.map(\.name) == [name])
  }

  @Test func namesThatDifferInCaseAreRefused() throws {
    #expect(throws: NewModelBundleError.sameName("todo", "Todo")) {
      try NewModelBundle(at: LocalPath(path), versions: versions("Todo", "todo"), current: nil)
    }
  }

  @Test func anotherEndingIsRefused() throws {
    for name in ["Todo", "Todo.momd", ".xcdatamodeld", ""] {
      #expect(
        throws: NewModelBundleError.noBundleName(
          LocalPath(folder.path(name)), ending: ".xcdatamodeld")
      ) {
        try NewModelBundle(
          at: LocalPath(folder.path(name)), versions: versions("Todo"), current: nil)
      }
    }
  }

  @Test func whatIsThereIsLeftAlone() throws {
    let bundle = try NewModelBundle(
      at: LocalPath(path), versions: versions("Todo"), current: "Todo")
    try folder.write("mine", to: "Todo.xcdatamodeld/file")
    #expect(throws: NewModelBundleError.exists(LocalPath(path))) { try bundle.write() }
    try FileManager.default.removeItem(atPath: path)
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "nowhere")
    #expect(throws: NewModelBundleError.exists(LocalPath(path))) { try bundle.write() }
    #expect(try names == ["Todo.xcdatamodeld"])
  }

  /// The second file can't be created, so no file is created and no temporary files remain.
  @Test func appearsWholeOrNotAtAll() throws {
    var all = try versions("Todo")
    all += all
    all[1].name = String(repeating: "a", count: 240)
    var long = path
    long.replace("Todo.xcdatamodeld", with: "\(String(repeating: "b", count: 250)).xcdatamodeld")
    let tooLong = try NewModelBundle(at: LocalPath(long), versions: all, current: nil)
    #expect(throws: NewModelBundleError.self) { try tooLong.write() }
    #expect(try names == [])
    let missing = folder.path("none/Todo.xcdatamodeld")
    #expect(throws: NewModelBundleError.folderMissing(LocalPath(missing))) {
      try NewModelBundle(at: LocalPath(missing), versions: all, current: nil).write()
    }
  }

  @Test func errorsSayWhatToDo() {
    let errors: [NewModelBundleError] = [
      .noBundleName("a.mom", ending: ".momd"), .unfitName("../x", .slash),
      .sameName("todo", "Todo"),
      .exists("a.xcdatamodeld"), .folderMissing("b/a.xcdatamodeld"),
      .unwritable("a.xcdatamodeld", reason: "the disk is full"),
    ]
    let text = errors.flatMap(\.diagnostics).map(DiagnosticRenderer().render).joined()
    Golden.expect(text, matches: "bundle-errors.txt")
  }
}
