import Foundation
import TestSupport
import Testing

/// Migrations of a small store with faults. After each fault, the store must be exactly in the state before or after
/// the migration, and a second run must complete it.
struct FaultTrial {
  let folder: MigrationFolder
  let before: StockFolder.State
  let after: StockFolder.State
  /// The duration without a fault.
  let duration: Duration
  private let options: [String]
  /// The states after earlier faults. The second run isn't repeated for the same state.
  private var seen: Set<[String]> = []

  /// The settings that change which files a migration writes.
  struct Setting: CustomTestStringConvertible {
    var journal: StockFolder.JournalMode
    var backup: Bool

    var testDescription: String { "\(journal.rawValue), \(backup ? "backup" : "no backup")" }

    static let all = StockFolder.JournalMode.allCases.flatMap { journal in
      [true, false].map { Setting(journal: journal, backup: $0) }
    }
  }

  init(_ setting: Setting, rows: Int) throws {
    folder = try MigrationFolder(rows: rows, journal: setting.journal)
    options = setting.backup ? [] : ["--no-backup"]
    try folder.copy()
    before = try folder.state()
    let start = ContinuousClock.now
    let ending = try folder.samples.run(folder.arguments(options))
    #expect(ending.status == 0, "\(ending.errors)")
    duration = ContinuousClock.now - start
    after = try folder.state()
    #expect(before != after)
    #expect(try folder.leftovers() == (setting.backup ? ["backup", "files of the backup"] : []))
    for name in [MigrationFolder.store, MigrationFolder.copiedStore] {
      let verified = try folder.samples.run(
        ["verify", "--store", name, "--model", MigrationFolder.model])
      #expect(verified.status == 0, "\(verified.errors)")
    }
  }

  /// Returns the number of calls of a migration.
  func count(_ counted: FaultInjection.Counted) throws -> Int {
    try folder.copy()
    let total = folder.path("total")
    let ending = try folder.samples.run(
      folder.arguments(options), environment: FaultInjection.counting(counted, into: total))
    #expect(ending.status == 0, "\(ending.errors)")
    return try #require(Int(String(contentsOfFile: total, encoding: .utf8)))
  }

  /// Migrates a fresh copy with a fault, and checks the resulting state.
  ///
  /// - Returns: the ending of the command, and whether the migration is complete.
  mutating func run(
    with fault: FaultInjection? = nil, sending signal: Int32 = SIGKILL,
    after moment: Duration = .seconds(600), _ comment: @autoclosure () -> String = ""
  ) throws -> (ending: SampleFolder.Ending, isDone: Bool) {
    try folder.copy()
    let ending = try folder.samples.run(
      folder.arguments(options), sending: signal, after: moment,
      environment: fault?.environment ?? [:])
    let place = "\(comment()) \(fault.map { "\($0)" } ?? "") \(ending)"
    let leftovers = try folder.leftovers()
    if let backup = try folder.backup() {
      let found = try folder.state(of: "copy/\(backup)")
      #expect(found == before, "\(place): backup: \(found.difference(from: before))")
    }
    // The migration is repeated before anything else opens the store, so that it must handle the remaining files.
    let isNew = try seen.insert(leftovers + ["\(ending.status)", "\(folder.isCopyTouched())"])
      .inserted
    if isNew { try completeCopy(of: place) }
    let found = try folder.state()
    #expect(found == before || found == after, "\(place): \(found.difference(from: before))")
    return (ending, found == after)
  }

  /// Migrates a copy of all files again. The original files don't change.
  private func completeCopy(of comment: String) throws {
    try folder.samples.expect("rm -rf again; cp -a copy again")
    let line = folder.arguments(options).map {
      "'\($0.replacingOccurrences(of: "copy/", with: "again/"))'"
    }
    let outcome = try folder.samples.shell.run("storetool \(line.joined(separator: " "))")
    #expect(outcome.status == 0, "\(comment): again: \(outcome.errors)")
    let found = try folder.state(of: "again/\(MigrationFolder.store)")
    #expect(found == after, "\(comment): again: \(found.difference(from: after))")
  }
}
