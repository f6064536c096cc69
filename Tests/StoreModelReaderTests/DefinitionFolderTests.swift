import Foundation
import StoreDiagnostics
import StoreModelReader
import TestSupport
import Testing

@Suite struct DefinitionFolderTests {
  /// A bundle with versions of these names, and files of these names with what they hold.
  private func find(
    versions: [String], files: [String: String]
  ) throws -> (files: [DefinitionFile], folder: TemporaryFolder) {
    let folder = try TemporaryFolder()
    for version in versions {
      try folder.write("<model/>", to: "Models/Shop.xcdatamodeld/\(version).xcdatamodel/contents")
    }
    for (name, text) in files { try folder.write(text, to: "Migrations/Shop/\(name)") }
    let bundles = try ModelBundle.find(at: folder.path("Models"))
    let bundle = try #require(bundles.first)
    let found = try DefinitionFolder.find(of: bundle, in: folder.path("Migrations"))
    return (found.files, folder)
  }

  private func message(_ error: any Error) -> String {
    guard let error = error as? any DiagnosableError else { return "\(error)" }
    return error.diagnostics.map { diagnostic in
      ([diagnostic.message] + diagnostic.help).joined(separator: "; ")
    }.joined(separator: "\n")
  }

  @Test func takesVersionsFromTheNamesOfFiles() throws {
    let (files, _) = try find(
      versions: ["Shop", "Shop 2", "Shop--3"],
      files: [
        "Shop--Shop 2.xml": "", "Shop 2--Shop--3.xml": "", "README.md": "", ".hidden--x.xml": "",
      ])
    #expect(files.map { [$0.from, $0.to] } == [["Shop", "Shop 2"], ["Shop 2", "Shop--3"]])
  }

  @Test func withoutAFolderThereIsNoMigration() throws {
    #expect(try find(versions: ["Shop"], files: [:]).files.isEmpty)
  }

  @Test(arguments: [
    (
      "Shop-Shop 2.xml",
      "does not say from which version to which; name it FROM--TO.xml, after the versions: 'Shop 2--Shop 3.xml'"
    ),
    (
      "Shop--Shop 22.xml",
      "names the version 'Shop 22', which 'Shop' does not have; did you mean 'Shop 2'?"
    ),
    ("Shop--Shop.xml", "leads from 'Shop' to itself"),
  ])
  func refusesOtherNames(_ name: String, _ explanation: String) throws {
    let error = #expect(throws: DefinitionFolderError.self) {
      try find(versions: ["Shop", "Shop 2"], files: [name: ""])
    }
    let text = try message(#require(error))
    #expect(text.hasSuffix("/\(name)' \(explanation)"), "\(text)")
  }

  @Test func theNameOfAFileAndItsAttributesAgree() throws {
    let (files, folder) = try find(
      versions: ["Shop", "Shop 2", "Shop 3"],
      files: ["Shop--Shop 3.xml": #"<migration from="Shop" to="Shop 2"/>"#])
    let error = #expect(throws: DiagnosticFailure.self) { try files[0].read() }
    let text = try message(#require(error))
    #expect(
      text
        == "'to' is 'Shop 2', but the file's name says 'Shop 3'; a migration's file is named FROM--TO.xml"
    )
    withExtendedLifetime(folder) {}
  }
}
