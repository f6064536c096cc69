import Foundation
import PlainSQLite
import TestSupport
import Testing

/// The test process locks the store that a command needs. The command ends with 75, and the store is unchanged.
struct LockTests {
  private let stock: StockFolder

  init() throws {
    stock = try StockFolder(rows: 100)
  }

  /// Runs a command while this process holds the lock that `lock` acquires.
  private func run(_ arguments: [String], while lock: String) throws -> BuiltCommand.Result {
    let other = try PlainDatabase(stock.path())
    try other.execute(lock)
    let outcome = try stock.samples.shell.run(
      "storetool \(StockFolder.line(arguments)) --model \(StockFolder.model)")
    try other.close()
    return outcome
  }

  private func expectLocked(_ arguments: [String], while lock: String) throws {
    let before = try stock.state()
    let outcome = try run(arguments, while: lock)
    #expect(outcome.status == 75)
    #expect(outcome.output.isEmpty)
    #expect(
      outcome.errors == """
        error: another process has locked 'stock.sqlite' [store.locked]
          help: try again when it has finished

        """)
    #expect(try stock.state() == before)
  }

  @Test(arguments: StockFolder.commands)
  func aWriterStopsAWriter(_ arguments: [String]) throws {
    try expectLocked(arguments, while: "BEGIN IMMEDIATE")
  }

  @Test(arguments: [
    ["fetch", "Part", "--count", "--where", "code < 3"], ["export", "Bin"],
    ["batch-update", "Part", "amount=1", "--dry-run"],
    ["batch-delete", "Part", "--all", "--dry-run"], ["history"],
    ["verify", "--repair", "--dry-run"],
  ])
  func aWriterDoesNotStopAReader(_ arguments: [String]) throws {
    let before = try stock.samples.expect(
      "storetool \(StockFolder.line(arguments)) --model \(StockFolder.model)")
    let outcome = try run(
      arguments, while: "BEGIN IMMEDIATE; DELETE FROM ZPART; DELETE FROM ZBIN; DELETE FROM ACHANGE")
    #expect(outcome.status == 0)
    #expect(outcome.output == before)
  }

  /// A store with a rollback journal can't be read during a commit.
  @Test(arguments: StockFolder.commands + [["fetch", "Part"], ["info"], ["export"], ["verify"]])
  func anExclusiveLockStopsAll(_ arguments: [String]) throws {
    try stock.setJournal(.delete)
    try expectLocked(arguments, while: "BEGIN EXCLUSIVE")
  }
}
