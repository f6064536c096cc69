import Foundation
import PlainSQLite
import TestSupport
import Testing

/// While a command writes, other processes read the store, or have crashed while using it.
struct SnapshotTests {
  private let stock: StockFolder

  init() throws {
    stock = try StockFolder(rows: 1_000)
  }

  private func run(_ arguments: [String]) throws -> SampleFolder.Ending {
    try stock.run(arguments, on: StockFolder.store)
  }

  /// In WAL mode a reader doesn't block writers, and continues to see the same content.
  @Test(arguments: StockFolder.commands)
  func aReaderKeepsItsSnapshot(_ arguments: [String]) throws {
    let before = try stock.state()
    let reader = try PlainDatabase(stock.path())
    try reader.execute("BEGIN")
    #expect(try StockFolder.State(reader) == before)
    #expect(try run(arguments).status == 0)
    #expect(try StockFolder.State(reader) == before)
    try reader.execute("COMMIT")
    try reader.close()
    #expect(try stock.state() != before)
  }

  /// With a rollback journal, a commit has to wait until no process reads.
  @Test(arguments: StockFolder.commands)
  func aReaderStopsACommit(_ arguments: [String]) throws {
    try stock.setJournal(.delete)
    let before = try stock.state()
    let reader = try PlainDatabase(stock.path())
    try reader.execute("BEGIN")
    #expect(try StockFolder.State(reader) == before)
    let ending = try run(arguments)
    #expect(ending.status == 75)
    #expect(
      ending.errors.hasPrefix("error: another process has locked 'stock.sqlite' [store.locked]"))
    #expect(try StockFolder.State(reader) == before)
    try reader.execute("COMMIT")
    try reader.close()
    #expect(try stock.state() == before)
    #expect(try run(arguments).status == 0)
    #expect(try stock.state() != before)
  }

  /// After a crash, the `-wal` contains the last commits.
  @Test(arguments: StockFolder.commands)
  func aLeftWALIsPartOfTheStore(_ arguments: [String]) throws {
    let writer = try PlainDatabase(stock.path())
    try writer.execute("PRAGMA wal_autocheckpoint = 0")
    try writer.execute("UPDATE ZPART SET ZAMOUNT = 77, ZBIN = 4 WHERE Z_PK <= 10")
    try stock.copy(to: "crashed.sqlite")
    #expect(FileManager.default.fileExists(atPath: stock.path("crashed.sqlite-wal")))
    try writer.close()
    #expect(try stock.run(arguments, on: "crashed.sqlite").status == 0)
    #expect(try run(arguments).status == 0)
    let (found, expected) = (try stock.state(of: "crashed.sqlite"), try stock.state())
    #expect(found == expected, "\(found.difference(from: expected))")
  }
}
