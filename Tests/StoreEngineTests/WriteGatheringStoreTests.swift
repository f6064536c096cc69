import StoreDiagnostics
import PlainSQLite
import StoreTestSupport
import Testing
import TestSupport

@testable import PredicateSQL
@testable import SQLiteAccess
@testable import StoreCore

/// A store that is written through `WriteGatheringVFS` equals one that SQLite writes alone.
@Suite struct WriteGatheringStoreTests {
  private static let rows = 20_000

  private static func fill(_ store: Store) throws {
    try store.write { connection in
      _ = try connection.run(
        """
        WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < \(.number(Int64(rows))))
        INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZTITLE)
        SELECT n, 1, 1, printf('%d %s', n * 7919 % \(.number(Int64(rows))), hex(zeroblob(n % 90))) FROM numbers
        """)
    }
  }

  /// Returns the result of SQLite's default VFS.
  private static func plain(_ path: String, _ sql: String) throws -> String? {
    try PlainDatabase(path).text(sql)
  }

  @Test(arguments: [true, false]) func othersSeeWhatIsCommitted(hasLog: Bool) throws {
    let fixture = try StoreFixture()
    if !hasLog { try fixture.edit("PRAGMA journal_mode = DELETE") }
    let store = try Store.open(LocalPath(fixture.path), .writing)
    try Self.fill(store)
    for round in 1...3 {
      try store.write {
        _ = try $0.run("UPDATE ZITEM SET Z_OPT = Z_OPT + 1 WHERE Z_PK % 3 > 0")
      }
      // The writer is still open.
      #expect(
        try Self.plain(fixture.path, "SELECT max(Z_OPT) || ' ' || count(*) FROM ZITEM")
          == "\(round + 1) \(Self.rows)")
      #expect(try Self.plain(fixture.path, "PRAGMA integrity_check") == "ok")
    }
    try store.close()
    #expect(try fixture.contents().keys.sorted() == ["Todo.sqlite"])
    #expect(try Self.plain(fixture.path, "PRAGMA integrity_check") == "ok")
  }

  /// With `fullfsync`, SQLite syncs with `F_FULLFSYNC` on macOS.
  @Test func commitsWaitForTheDisk() throws {
    let fixture = try StoreFixture()
    let store = try Store.open(LocalPath(fixture.path), .writing)
    let settings = try store.write { connection in
      try ["synchronous", "fullfsync"].flatMap { try connection.rows("PRAGMA \(name: $0)") }
    }
    #expect(settings == [[.integer(3)], [.integer(1)]])
  }

  /// The functions in the statement make SQLite keep a statement journal, from which it restores the rows.
  @Test func aStatementThatFailsTakesBackItsRows() throws {
    let fixture = try StoreFixture()
    let store = try Store.open(LocalPath(fixture.path), .writing)
    try Self.fill(store)
    let sums: SQL = "SELECT sum(Z_OPT) FROM ZITEM"
    try store.write { connection in
      _ = try connection.run("CREATE TEMP TABLE seen (key INTEGER)")
      #expect(throws: DatabaseError.self) {
        _ = try connection.run(
          "UPDATE ZITEM SET Z_OPT = CASE WHEN Z_PK < 19000 THEN 9 ELSE abs(-9223372036854775807 - 1) END"
        )
      }
      #expect(try connection.integer(sums) == Int64(Self.rows))
      _ = try connection.run("UPDATE ZITEM SET Z_OPT = 2 WHERE Z_PK % 2 = 0")
    }
    try store.close()
    #expect(
      try Self.plain(fixture.path, "SELECT sum(Z_OPT) FROM ZITEM") == "\(Self.rows * 3 / 2)")
    #expect(try Self.plain(fixture.path, "PRAGMA integrity_check") == "ok")
  }

  /// The transaction is rolled back even if the error is caught.
  @Test(arguments: [true, false], [true, false])
  func withoutItsJournalItTakesBackTheTransaction(hasLog: Bool, isCaught: Bool) throws {
    let fixture = try StoreFixture()
    if !hasLog { try fixture.edit("PRAGMA journal_mode = DELETE") }
    let store = try Store.openExclusively(LocalPath(fixture.path))
    try Self.fill(store)
    #expect(throws: DatabaseError.self) {
      try store.write { connection in
        _ = try connection.run("UPDATE ZITEM SET Z_OPT = 2 WHERE Z_PK % 2 = 0")
        do {
          try connection.runWithoutJournal(
            "UPDATE ZITEM SET Z_OPT = CASE WHEN Z_PK < 19000 THEN 9 ELSE abs(-9223372036854775807 - 1) END"
          )
        } catch  where isCaught {}
      }
    }
    #expect(try store.read { try $0.integer("SELECT sum(Z_OPT) FROM ZITEM") } == Int64(Self.rows))
    // The next transaction succeeds.
    try store.write { try $0.runWithoutJournal("UPDATE ZITEM SET Z_OPT = Z_OPT + abs(1)") }
    try store.close()
    #expect(
      try Self.plain(fixture.path, "SELECT sum(Z_OPT) FROM ZITEM") == "\(Self.rows * 2)")
    #expect(try Self.plain(fixture.path, "PRAGMA integrity_check") == "ok")
  }

  /// With a setting below FULL, other processes could be notified of pages that aren't written yet. With one below
  /// EXTRA, a deleted rollback journal could reappear after a power failure.
  @Test(arguments: [true, false]) func everyCommitIsSynced(isAlone: Bool) throws {
    let fixture = try StoreFixture()
    let store =
      try isAlone
      ? Store.openExclusively(LocalPath(fixture.path))
      : Store.open(LocalPath(fixture.path), .writing)
    #expect(try store.read { try $0.integer("PRAGMA synchronous") } == 3)
    try store.close()
  }
}
