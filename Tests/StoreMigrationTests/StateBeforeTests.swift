import StoreDiagnostics
import Foundation
import PlainSQLite
import StoreTestSupport
import Testing
import TestSupport

@testable import SQLiteAccess
@testable import StoreCore
@testable import StoreMigration

/// The state of a store before a transaction, read while the transaction is running.
struct StateBeforeTests {
  private static let rows: SQL = "SELECT Z_PK, ZTITLE FROM ZITEM"

  private static func fixture(mode: String) throws -> StoreFixture {
    let fixture = try StoreFixture()
    try fixture.edit(
      """
      PRAGMA journal_mode = \(mode);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
      INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZTITLE) SELECT i, 1, 1, 'row ' || i FROM n
      """)
    return fixture
  }

  private static func write(_ sql: String, as shell: String, in path: String) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: shell)
    process.arguments = [path, sql]
    let output = Pipe()
    process.standardError = output
    try process.run()
    process.waitUntilExit()
    return String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
  }

  /// The transaction exceeds the connection's cache, and keeps its lock so that another process can't write.
  @Test func isReadBesideTheTransactionAndLeavesItItsLock() throws {
    let fixture = try Self.fixture(mode: "WAL")
    let store = try Store.openExclusively(LocalPath(fixture.path))
    let before = try store.read { try $0.fingerprint(of: Self.rows) }
    let state = try #require(try store.checkpointedState())
    try store.write { connection in
      try connection.run("PRAGMA cache_size = 10")
      try connection.run("UPDATE ZITEM SET ZTITLE = ZTITLE || ' of the new version'")
      #expect((DatabaseFile.size(of: LocalPath(fixture.path + "-wal")) ?? 0) > 100_000)
      let thread = FingerprintThread(of: [Self.rows], in: state)
      #expect(try thread.fingerprints() == [before])
      #expect(try connection.fingerprint(of: Self.rows) != before)
      if let shell = SQLiteShell.executable {
        #expect(
          try Self.write("DELETE FROM ZITEM", as: shell, in: fixture.path).contains("locked"))
      }
    }
    try store.close()
    let after = try Store.open(LocalPath(fixture.path), .reading).read {
      try $0.rows("SELECT count(*), min(ZTITLE LIKE '% of the new version') FROM ZITEM")
    }
    #expect(after == [[.integer(20_000), .integer(1)]])
  }

  /// The state includes the contents of the `-wal`.
  @Test func holdsWhatAnotherProgramHasLeftInTheWAL() throws {
    let fixture = try Self.fixture(mode: "WAL")
    let writer = try fixture.writer("DELETE FROM ZITEM WHERE Z_PK > 5")
    let copy = fixture.folder.path("Copy.sqlite")
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(atPath: fixture.path + suffix, toPath: copy + suffix)
    }
    try writer.close()
    let store = try Store.openExclusively(LocalPath(copy))
    let state = try #require(try store.checkpointedState())
    #expect(try FingerprintThread(of: [Self.rows], in: state).fingerprints()[0].rows == 5)
    try store.close()
  }

  @Test func isNowhereBesideARollbackJournal() throws {
    let fixture = try Self.fixture(mode: "DELETE")
    let store = try Store.openExclusively(LocalPath(fixture.path))
    #expect(try store.checkpointedState() == nil)
    try store.close()
  }

  @Test func damageIsFound() throws {
    let fixture = try Self.fixture(mode: "WAL")
    var bytes = try Data(contentsOf: URL(fileURLWithPath: fixture.path))
    let page = bytes.count / 4096 - 3
    bytes.replaceSubrange(
      page * 4096 + 8..<page * 4096 + 64, with: Data(repeating: 0xFF, count: 56))
    try bytes.write(to: URL(fileURLWithPath: fixture.path))
    let store = try Store.openExclusively(LocalPath(fixture.path))
    let state = try #require(try store.checkpointedState())
    #expect {
      try FingerprintThread(of: [Self.rows], in: state).fingerprints()
    } throws: { error in
      guard case DatabaseError.damaged? = error as? DatabaseError else { return false }
      return true
    }
    try store.close()
  }
}
