import Foundation
import Testing

/// The program, its changelog and its packages have the same version. A Debian package reads its version from the
/// program when it is built.
struct VersionTests {
  private let changes = SourceFolder.text(at: "CHANGELOG.md")

  /// The versions in CHANGELOG.md with their release dates, newest first.
  private var released: [(version: String, day: String)] {
    changes.matches(of: #/(?m)^## \[(\d+\.\d+\.\d+)\] - (\d{4}-\d{2}-\d{2})$/#)
      .map { (String($0.output.1), String($0.output.2)) }
  }

  @Test func programChangesAndFormulaAgree() throws {
    let program = try #require(
      SourceFolder.text(at: "Sources/storetool/Storetool.swift")
        .firstMatch(of: #/static let current = "(.+)"/#)
    ).output.1
    let formula = try #require(
      SourceFolder.text(at: "Integrations/homebrew/Formula/storetool.rb")
        .firstMatch(of: #/tag: +"v(.+)"/#)
    ).output.1
    #expect(released.first?.version == String(program))
    #expect(formula == program)
  }

  @Test func changesAreToldOfEachVersionOnce() {
    let versions = released.map(\.version)
    let headings = changes.split(separator: "\n").filter { $0.hasPrefix("## ") }
    #expect(headings.first == "## [Unreleased]")
    #expect(headings.dropFirst().count == versions.count)
    #expect(versions == versions.sorted { $0.compare($1, options: .numeric) == .orderedDescending })
    #expect(Set(versions).count == versions.count)
    #expect(released.map(\.day) == released.map(\.day).sorted(by: >))
  }
}
