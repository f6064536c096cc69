import Foundation
import StoreDiagnostics
import StoreModel
import StoreModelReader
import TestSupport
import Testing

@Suite struct DefinitionFolderTests {
  /// Searches a bundle with versions of these names, and files with these names and contents.
  private func find(
    versions: [String], files: [String: String]
  ) throws -> (files: [DefinitionFile], faults: [UnusableDefinition], folder: TemporaryFolder) {
    let (found, folder) = try folder(versions: versions, files: files)
    return (found.files, found.faults, folder)
  }

  private func folder(
    versions: [String], files: [String: String]
  ) throws -> (DefinitionFolder, TemporaryFolder) {
    let folder = try TemporaryFolder()
    for version in versions {
      try folder.write("<model/>", to: "Models/Shop.xcdatamodeld/\(version).xcdatamodel/contents")
    }
    for (name, text) in files { try folder.write(text, to: "Migrations/Shop/\(name)") }
    let bundles = try ModelBundle.find(at: folder.path("Models"))
    let bundle = try #require(bundles.first)
    let found = try DefinitionFolder.find(of: bundle, in: LocalPath(folder.path("Migrations")))
    return (found, folder)
  }

  private func message(_ error: any Error) -> String {
    guard let error = error as? any DiagnosableError else { return "\(error)" }
    return error.diagnostics.map { diagnostic in
      ([diagnostic.message] + diagnostic.help.map(\.description)).joined(separator: "; ")
    }.joined(separator: "\n")
  }

  @Test func takesVersionsFromTheNamesOfFiles() throws {
    let (files, faults, _) = try find(
      versions: ["Shop", "Shop 2", "Shop--3"],
      files: [
        "Shop--Shop 2.xml": "", "Shop 2--Shop--3.xml": "", "README.md": "", ".hidden--x.xml": "",
      ])
    #expect(files.map { [$0.from, $0.to] } == [["Shop", "Shop 2"], ["Shop 2", "Shop--3"]])
    #expect(faults == [])
  }

  @Test func withoutAFolderThereIsNoMigration() throws {
    #expect(try find(versions: ["Shop"], files: [:]).files.isEmpty)
  }

  @Test(arguments: [
    (
      "Shop-Shop 2.xml",
      "doesn't contain two versions; name it FROM--TO.xml after the versions, such as 'Shop 2--Shop 3.xml'"
    ),
    (
      "Shop--Shop 22.xml",
      "refers to the version 'Shop 22', which 'Shop' doesn't have; did you mean 'Shop 2'?"
    ),
    ("Shop--Shop.xml", "migrates 'Shop' to itself"),
  ])
  func explainsOtherNames(_ name: String, _ explanation: String) throws {
    let faults = try find(versions: ["Shop", "Shop 2"], files: [name: ""]).faults
    let text = message(DiagnosticError(faults.flatMap(\.diagnostics)))
    #expect(text.hasSuffix("/\(name)' \(explanation)"), "\(text)")
  }

  // MARK: One file that can't be used

  /// The other files are found. Only migrations that require the invalid file are affected.
  @Test(arguments: [
    ("Shop--Shop 22.xml", "", [["Shop", "Shop 2"]], true),
    ("Shop--Shop 22.xml", "", [["Shop 2", "Shop 3"]], false),
    ("Shop.xml", "", [["Shop", "Shop 2"]], false),
    ("Broken.xcmappingmodel", "<database", [["Shop", "Shop 2"], ["Shop 2", "Shop 3"]], false),
  ])
  func oneFileStopsOnlyWhatItIsFor(
    _ name: String, _ text: String, _ jumps: [[String]], stops: Bool
  ) throws {
    let (found, folder) = try folder(
      versions: ["Shop", "Shop 2", "Shop 3"], files: [name: text, "Shop 2--Shop 3.xml": ""])
    #expect(found.files.map(\.from) == ["Shop 2"])
    #expect(found.faults.count == 1)
    #expect(found.faults.flatMap(\.warnings).allSatisfy { $0.severity == .warning })
    let versions = Array(Set(jumps.joined()))
    let ask = {
      try found.requireSound(versions, jumps.map { VersionJump(from: $0[0], to: $0[1]) })
    }
    if stops {
      #expect(throws: DiagnosticError.self) { try ask() }
    } else {
      try ask()
    }
    withExtendedLifetime(folder) {}
  }

  /// A truncated file may still contain its versions.
  @Test func aTornMappingModelStopsItsOwnMigration() throws {
    let torn = #"""
      <database><object type="XDDEVMAPPINGMODEL" id="z1">
      <attribute name="destinationmodelpath" type="string">Shop.xcdatamodeld/Shop 2.xcdatamodel</attribute>
      <attribute name="sourcemodelpath" type="string">Shop.xcdatamodeld/Shop.xcdatamodel</attribute>
      <relationship name="entitymappi
      """#
    let (found, folder) = try folder(
      versions: ["Shop", "Shop 2", "Shop 3"],
      files: ["Torn.xcmappingmodel": torn, "Shop 2--Shop 3.xml": ""])
    #expect(found.files.map { [$0.from, $0.to] } == [["Shop", "Shop 2"], ["Shop 2", "Shop 3"]])
    #expect(found.faults.map(\.subject) == [.jump(from: "Shop", to: "Shop 2")])
    #expect(throws: DiagnosticError.self) {
      try found.requireSound(["Shop", "Shop 2"], [VersionJump(from: "Shop", to: "Shop 2")])
    }
    #expect(throws: XMLError.self) { try found.files[0].read() }
    try found.requireSound(["Shop 2", "Shop 3"], [VersionJump(from: "Shop 2", to: "Shop 3")])
    withExtendedLifetime(folder) {}
  }

  /// A mapping model between the versions of a definition.
  @Test func twoFilesForOneJumpStopIt() throws {
    let mapping = #"""
      <database><object type="XDDEVMAPPINGMODEL" id="z1">
      <attribute name="sourcemodelpath" type="string">Shop.xcdatamodeld/Shop.xcdatamodel</attribute>
      <attribute name="destinationmodelpath" type="string">Shop.xcdatamodeld/Shop 2.xcdatamodel</attribute>
      </object></database>
      """#
    let (found, folder) = try folder(
      versions: ["Shop", "Shop 2", "Shop 3"],
      files: ["Shop--Shop 2.xml": "", "Second.xcmappingmodel": mapping])
    #expect(found.files.count == 1)
    #expect(found.faults.map(\.subject) == [.jump(from: "Shop", to: "Shop 2")])
    #expect(throws: DiagnosticError.self) {
      try found.requireSound(["Shop", "Shop 2"], [VersionJump(from: "Shop", to: "Shop 2")])
    }
    try found.requireSound(["Shop", "Shop 2", "Shop 3"], [VersionJump(from: "Shop", to: "Shop 3")])
    withExtendedLifetime(folder) {}
  }

  @Test func theNameOfAFileAndItsAttributesAgree() throws {
    let (files, _, folder) = try find(
      versions: ["Shop", "Shop 2", "Shop 3"],
      files: ["Shop--Shop 3.xml": #"<migration from="Shop" to="Shop 2"/>"#])
    let error = #expect(throws: DiagnosticError.self) { try files[0].read() }
    let text = try message(#require(error))
    #expect(
      text
        == "'to' is 'Shop 2', but the file name contains 'Shop 3'; the file name must be FROM--TO.xml"
    )
    withExtendedLifetime(folder) {}
  }
}
