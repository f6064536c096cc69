import Foundation
import StoreDiagnostics
import TestSupport
import Testing

@testable import StoreMigration

/// Every example of `docs/migrations.md` is a definition that fits the shop's models.
@Suite struct DefinitionPageTests {
  static let examples: [String] = {
    let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("docs/migrations.md")
    let text = (try? String(contentsOf: page, encoding: .utf8)) ?? ""
    return text.components(separatedBy: "```xml\n").dropFirst().map {
      $0.components(separatedBy: "```")[0]
    }
  }()

  @Test func thereAreExamples() { #expect(Self.examples.count >= 8) }

  @Test(arguments: examples) func exampleFits(_ xml: String) throws {
    do {
      _ = try Shop.mapping(xml)
    } catch let error as any DiagnosableError {
      Issue.record(
        Comment(rawValue: error.diagnostics.map(DiagnosticRenderer().render).joined()))
    }
  }
}
