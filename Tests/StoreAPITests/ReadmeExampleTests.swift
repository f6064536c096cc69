import Foundation
import StoreEngine
import StoreModelReader
import StorePredicate
import TestSupport
import Testing

/// The README's Swift examples are files that are compiled: here, and by `Scripts/test-outside` as a
/// package of its own.
struct ReadmeExampleTests {
  @Test(
    arguments: zip(
      0..<3,
      [
        "OutsidePackage/Package.swift", "OutsidePackage/Sources/TeaShop/main.swift",
        "StoreAPITests/ReadmeExample.swift",
      ]))
  func isWhatIsCompiled(place: Int, file: String) throws {
    let root = BuiltCommand.repository
    let page = try String(contentsOf: root.appendingPathComponent("README.md"), encoding: .utf8)
    let source = try String(
      contentsOf: root.appendingPathComponent("Tests/\(file)"), encoding: .utf8)
    let lines = source.split(separator: "\n", omittingEmptySubsequences: false)
      .filter { !$0.hasPrefix("///") }.joined(separator: "\n")
    let blocks = page.components(separatedBy: "```swift\n").dropFirst()
      .compactMap { $0.components(separatedBy: "```").first }
    try #require(blocks.count == 3)
    #expect(blocks[place] == lines)
  }

  @Test func runs() async throws {
    let sample = try await SampleStore.items(1_000)
    let bundle = try SampleStore.bundle("Todo")
    // Every second item is done; of each five one is urgent.
    #expect(try await finishUrgentItems(in: sample.path, ofModelAt: bundle.path) == 600)
  }
}
