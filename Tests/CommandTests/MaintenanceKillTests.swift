import Foundation
import PlainSQLite
import SeededRandom
import TestSupport
import Testing

/// Compacting and anonymizing are killed at any moment. The store has its content before or after the command.
struct MaintenanceKillTests {
  private let stock: StockFolder

  init() throws {
    stock = try StockFolder()
    try stock.samples.folder.write("Part.name: fake-name\nBin.label: scramble\n", to: "rules.txt")
    try stock.samples.folder.write("a key for the trials", to: "key")
    // Creates free space for `compact`.
    try PlainDatabase(stock.path()).execute("DELETE FROM ZPART WHERE Z_PK % 3 = 0")
  }

  private static let anonymize = ["anonymize", "--rules", "rules.txt", "--key-file", "key"]
  private static let moments = Soak.times(6)

  @Test(arguments: StockFolder.JournalMode.allCases)
  func compacting(_ journal: StockFolder.JournalMode) throws {
    try stock.setJournal(journal)
    try kill(["compact"], isChange: false)
    // A killed command doesn't leave files.
    try expectFiles(["copy.sqlite"])
  }

  @Test(arguments: StockFolder.JournalMode.allCases)
  func anonymizingInPlace(_ journal: StockFolder.JournalMode) throws {
    try stock.setJournal(journal)
    try kill(Self.anonymize + ["--in-place"], isChange: true)
  }

  /// - Parameter isChange: whether rows change, so that a killed run and a complete run have different results.
  private func kill(_ arguments: [String], isChange: Bool) throws {
    let before = try stock.state()
    try stock.copy()
    let start = ContinuousClock.now
    #expect(try stock.run(arguments).status == 0)
    let duration = ContinuousClock.now - start
    let after = try stock.state(of: "copy.sqlite")
    #expect((after == before) == !isChange)
    var generator = SeededGenerator(seed: 31)
    let killed = try generator.stops(Self.moments, within: duration * 1.05) { moment in
      try stock.copy()
      let isKilled = try stock.run(arguments, after: moment).signal == SIGKILL
      let found = try stock.state(of: "copy.sqlite")
      #expect(
        found == before || found == after,
        "killed after \(moment): \(found.difference(from: before)), \(found.difference(from: after))"
      )
      try expectNoOldValue(besides: "copy.sqlite")
      return isKilled
    }
    #expect(killed > 0)
  }

  /// A copy only exists under its name if it is complete. A draft of a killed run doesn't contain old values.
  @Test func anonymizingACopy() throws {
    let arguments = Self.anonymize + ["--output", "other.sqlite"]
    try stock.copy()
    let start = ContinuousClock.now
    #expect(try stock.run(arguments).status == 0)
    let duration = ContinuousClock.now - start
    let after = try stock.state(of: "other.sqlite")
    let before = try stock.state()
    var generator = SeededGenerator(seed: 32)
    let absent = try generator.stops(Self.moments, within: duration * 1.05) { moment in
      try FileManager.default.removeItem(atPath: stock.path("other.sqlite"))
      _ = try stock.run(arguments, after: moment)
      try expectNoOldValue(besides: "copy.sqlite")
      let isPresent = FileManager.default.fileExists(atPath: stock.path("other.sqlite"))
      if isPresent {
        #expect(try stock.state(of: "other.sqlite") == after, "\(moment)")
      } else {
        try stock.samples.folder.write("", to: "other.sqlite")
      }
      #expect(try stock.state(of: "copy.sqlite") == before)
      return !isPresent
    }
    #expect(absent > 0)
  }

  /// Checks that the drafts beside the stores don't contain old values.
  private func expectNoOldValue(besides store: String) throws {
    for name in try FileManager.default.contentsOfDirectory(atPath: stock.samples.folder.url.path)
    where name.hasSuffix(".new") {
      let bytes = FileManager.default.contents(atPath: stock.path(name)) ?? Data()
      #expect(bytes.range(of: Data("part ".utf8)) == nil, "\(name)")
      try FileManager.default.removeItem(atPath: stock.path(name))
    }
  }

  private func expectFiles(_ names: [String]) throws {
    let found = try FileManager.default.contentsOfDirectory(atPath: stock.samples.folder.url.path)
      .filter {
        $0.hasPrefix("copy.sqlite") && !$0.hasSuffix("-wal") && !$0.hasSuffix("-journal")
          && !$0.hasSuffix("-shm")
      }
    #expect(found == names)
  }

  @Test(
    arguments: [["compact"], anonymize + ["--in-place"]],
    ["BEGIN IMMEDIATE", "BEGIN; SELECT count(*) FROM ZPART"])
  func whoHasTheStoreOpenIsNotDisturbed(_ arguments: [String], _ lock: String) throws {
    try stock.copy()
    let other = try PlainDatabase(stock.path("copy.sqlite"))
    try other.execute(lock)
    let ending = try stock.run(arguments)
    #expect(ending.status == 75)
    #expect(ending.errors.contains("another process has locked 'copy.sqlite' [store.locked]"))
    try other.close()
    #expect(try stock.state(of: "copy.sqlite") == stock.state())
  }

  @Test(arguments: [
    ["compact"], anonymize + ["--in-place"], anonymize + ["--output", "other.sqlite"],
  ])
  func cancelling(_ arguments: [String]) throws {
    try stock.copy()
    let ending = try stock.run(arguments, sending: SIGINT, after: .milliseconds(60))
    #expect([0, 130, SIGINT].contains(ending.signal ?? ending.status), "\(ending)")
    if ending.status != 0 { #expect(try stock.state(of: "copy.sqlite") == stock.state()) }
    let left = try FileManager.default.contentsOfDirectory(atPath: stock.samples.folder.url.path)
      .filter { $0.hasSuffix(".new") }
    #expect(left == [])
  }
}
