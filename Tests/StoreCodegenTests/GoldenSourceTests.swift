import Foundation
import StoreCodegen
import StoreLayout
import StoreDiagnostics
import StoreModelReader
import TestSupport
import Testing

/// Models beside the text that is generated from them. `StoreAPITests` works with that of the sample
/// models; the others' is compiled by `Scripts/compile-corpus` through the model.
struct GoldenSourceTests {
  private static let here = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
  private static let samples = here.appendingPathComponent("../../Models").standardized

  private func compiled(
    _ model: URL, allVersions: Bool = false, access: AccessLevel = .internal,
    isCodable: Bool = false
  ) throws -> GeneratedTypes {
    try ModelCompiler(
      ModelBundle(at: model.path), includesAllVersions: allVersions, access: access,
      isCodable: isCodable, hashing: VersionHash.hashes(of:)
    ).compile()
  }

  private static func inUse(_ name: String) -> String {
    "../../StoreAPITests/Generated/\(name)Model.swift"
  }

  @Test(arguments: ["BubbleTea", "Company", "League", "People", "Shop", "Todo"])
  func sampleModels(name: String) throws {
    let model = Self.samples.appendingPathComponent("\(name).xcdatamodeld")
    Golden.expect(try compiled(model).text, matches: Self.inUse(name))
  }

  /// Stores are migrated with it: five versions, and the definition between the last two.
  @Test func aSampleModelWithItsVersions() throws {
    let model = Self.samples.appendingPathComponent("Journal.xcdatamodeld")
    Golden.expect(try compiled(model, allVersions: true).text, matches: Self.inUse("Journal"))
  }

  @Test(arguments: ["Errands", "Orders"])
  func benchmarks(name: String) throws {
    let folder = Self.here.appendingPathComponent("../../Benchmarks").standardized
    let model = folder.appendingPathComponent("\(name).xcdatamodel")
    Golden.expect(
      try compiled(model).text, matches: "../../../Benchmarks/Sources/\(name)Model.swift")
  }

  @Test func allVersionsForOthers() throws {
    let model = Self.samples.appendingPathComponent("Todo.xcdatamodeld")
    let text = try compiled(model, allVersions: true, access: .public).text
    Golden.expect(text, matches: "Todo-all-versions.swift")
  }

  @Test(arguments: ["Library.xcdatamodeld", "Market.xcdatamodel", "Names.xcdatamodel"])
  func fixtures(name: String) throws {
    let compiled = try compiled(
      Self.here.appendingPathComponent("Models/\(name)"), isCodable: name == "Library.xcdatamodeld")
    let stem = name.split(separator: ".")[0]
    let golden = stem == "Names" ? "Names.swift" : Self.inUse(String(stem))
    Golden.expect(compiled.text, matches: golden)
    let root = Self.here.path + "/"
    let messages = compiled.diagnostics.map(DiagnosticRenderer().render).joined()
    Golden.expect(messages.replacing(root, with: ""), matches: "\(stem).txt")
  }

  @Test func theSameTextFromEveryFolder() throws {
    let model = Self.samples.appendingPathComponent("People.xcdatamodeld")
    let folder = try TemporaryFolder()
    let copy = folder.url.appendingPathComponent("People.xcdatamodeld")
    try FileManager.default.copyItem(at: model, to: copy)
    #expect(try compiled(copy).text == compiled(model).text)
  }
}
