import Foundation
import TestSupport
import Testing

/// The code on the page "Migrations" is compiled and run by the outside package.
struct MigrationsPageTests {
  @Test func isWhatIsCompiled() throws {
    func text(_ path: String) throws -> String {
      try String(
        contentsOf: BuiltCommand.repository.appendingPathComponent(path), encoding: .utf8)
    }
    let page = try text("Sources/StoreMigration/StoreMigration.docc/Migrations.md")
    let program = try text("Tests/OutsidePackage/Sources/Cellar/main.swift")
    let blocks = page.components(separatedBy: "```swift\n").dropFirst()
      .compactMap { $0.components(separatedBy: "```").first }
    #expect(blocks.count == 1)
    for block in blocks { #expect(program.contains(block)) }
  }
}
