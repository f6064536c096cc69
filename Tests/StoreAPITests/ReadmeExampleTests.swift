import Foundation
import StoreEngine
import StoreModelReader
import StorePredicate
import TestSupport
import Testing

/// The README's Swift example is the one that is compiled here, and it does what it says.
struct ReadmeExampleTests {
  @Test func isWhatIsCompiled() throws {
    let file = BuiltCommand.repository.appendingPathComponent("README.md")
    let page = try String(contentsOf: file, encoding: .utf8)
    let source = try String(
      contentsOf: BuiltCommand.repository.appendingPathComponent(
        "Tests/StoreAPITests/ReadmeExample.swift"), encoding: .utf8)
    let lines = source.split(separator: "\n", omittingEmptySubsequences: false)
      .filter { !$0.hasPrefix("///") }.joined(separator: "\n")
    let block = page.components(separatedBy: "```swift\n").last?
      .components(separatedBy: "```").first
    #expect(block == lines)
  }

  @Test func runs() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path("Todo.sqlite")
    let bundle = try SampleStore.bundle("Todo")
    try await PersistentStore.create(path, for: bundle.requireCurrentVersion().read().model)
    let deleted = try await finishUrgentItems(in: path, ofModelAt: bundle.path)
    #expect(deleted.count == 200)
    #expect(deleted.first?.primaryKey == 4)
  }
}
