import Foundation
import TestSupport
import Testing

@testable import storetool

/// Each command that writes is tested with kills, interrupts, a full disk and power cuts.
struct WritingCommandTests {
  /// Commands that don't write, or only run other commands.
  private static let readers: Set<String> = [
    "info", "diff", "settings", "simulators", "templates", "apply-template", "fetch", "show",
    "explain", "export",
    "model check", "model show", "model hash", "model diff", "migrate plan", "migrate script",
    "migrate status",
    // A group of commands.
    "model", "predicate", "git", "migrate",
    // The page runs other commands.
    "browse",
  ]

  private static let fixtures: [(suite: String, commands: Set<String>)] = [
    ("StockFolder", names(StockFolder.commands)),
    ("FileCommandTests", names(FileCommandTests.commands)),
    ("MaintenanceKillTests and MaintenanceDiskTests", ["compact", "anonymize"]),
    ("MigrationKillTests and MigrationDiskTests", ["migrate run"]),
    ("FleetTests", ["each"]),
  ]

  /// Commands that are tested without power cuts, with the reasons.
  private static let withoutPowerCut = [
    // These commands write `.gitattributes` in the same way as `model lock` writes its file. Git writes its own
    // configuration.
    "git install", "git uninstall",
  ]

  private static func names(_ commands: [[String]]) -> Set<String> {
    Set(
      commands.map { words in
        ["model", "migrate", "git"].contains(words[0])
          ? words.prefix(2).joined(separator: " ") : words[0]
      })
  }

  @Test func eachIsStoppedInEachWay() throws {
    let all = CommandRow.shownNames
    let writers = all.filter {
      !Self.readers.contains($0) && !$0.hasPrefix("predicate ") && !$0.hasPrefix("explain ")
    }
    #expect(writers.count >= 25, "\(writers)")
    let stopped = Self.fixtures.reduce(into: Set<String>()) { $0.formUnion($1.commands) }
    for name in writers {
      #expect(stopped.contains(name), "no test kills '\(name)', fills its disk or interrupts it")
    }
    let subjects = try String(
      contentsOf: BuiltCommand.repository.appendingPathComponent("Scripts/power_cuts/subjects.py"),
      encoding: .utf8)
    for name in writers where !Self.withoutPowerCut.contains(name) {
      let words = name.replacing(" run", with: "").split(separator: " ").map { "\"\($0)\"" }
      let isSubject =
        subjects.contains(", \(words.joined(separator: ", "))")
        || subjects.contains("[\(words.joined(separator: ", "))")
      #expect(isSubject, "no power is cut while '\(name)' writes")
    }
    for name in stopped.union(Self.readers).union(Self.withoutPowerCut) {
      #expect(all.contains(name), "unknown command '\(name)'")
    }
  }
}
