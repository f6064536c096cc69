import Foundation
import StoreEngine
import StoreModelReader
import TestSupport
import Testing

/// The Swift examples of the pages are compiled files: in this target, and in a separate package by
/// `Scripts/test-outside`.
struct ReadmeExampleTests {
  private static let outside = "OutsidePackage/Sources/TeaShop/main.swift"

  @Test(
    arguments: zip(
      0..<3, ["OutsidePackage/Package.swift", outside, "StoreAPITests/ReadmeExample.swift"]))
  func isWhatIsCompiled(place: Int, file: String) throws {
    let blocks = try Self.blocks(of: "docs/swift.md")
    try #require(blocks.count == 3)
    #expect(try blocks[place] == Self.source(file))
  }

  @Test func theReadmeShowsItsBeginning() throws {
    let blocks = try Self.blocks(of: "README.md")
    try #require(blocks.count == 1 && blocks[0].count > 200)
    #expect(try Self.source(Self.outside).hasPrefix(blocks[0]))
  }

  private static func blocks(of page: String) throws -> [String] {
    let file = BuiltCommand.repository.appendingPathComponent(page)
    return try String(contentsOf: file, encoding: .utf8).components(separatedBy: "```swift\n")
      .dropFirst().compactMap { $0.components(separatedBy: "```").first }
  }

  /// Returns the source without its documentation comments.
  private static func source(_ file: String) throws -> String {
    let file = BuiltCommand.repository.appendingPathComponent("Tests/\(file)")
    return try String(contentsOf: file, encoding: .utf8)
      .split(separator: "\n", omittingEmptySubsequences: false)
      .filter { !$0.hasPrefix("///") }.joined(separator: "\n")
  }

  @Test func runs() async throws {
    let sample = try await SampleStore.items(1_000)
    let bundle = try SampleStore.bundle("Todo")
    // Every second item is done, and one of five is urgent.
    #expect(try await finishUrgentItems(in: sample.path, ofModelAt: "\(bundle.path)") == 600)
  }
}
