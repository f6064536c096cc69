import StoreDiagnostics
import CSQLite
import PlainSQLite
import SQLiteAccess
import TestSupport
import Testing

/// Statements that are run again without being compiled again.
@Suite struct KeptStatementsTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path("Todo.sqlite")
    try PlainDatabase(path).execute(
      """
      PRAGMA journal_mode = WAL; CREATE TABLE ZITEM (Z_PK INTEGER PRIMARY KEY, ZTITLE VARCHAR);
      INSERT INTO ZITEM VALUES (1, 'a'), (2, 'b'), (3, NULL)
      """)
  }

  private func open() throws -> Database {
    try Database(uri: DatabaseFile.uri(LocalPath(path), []), path: LocalPath(path), .writing)
  }

  private func title(_ key: Int64) -> RenderedSQL {
    RenderedSQL("SELECT ZTITLE FROM ZITEM WHERE Z_PK = \(value: .integer(key))")
  }

  private func first(_ sql: RenderedSQL, _ connection: Connection) throws -> SQLiteValue? {
    var statement = try connection.prepareKept(sql)
    return try statement.step() ? statement.value(at: 0) : nil
  }

  /// The statements of the connection, whether they are running or not.
  private func count(_ connection: Connection) -> Int {
    var (count, last): (Int, OpaquePointer?) = (0, nil)
    while let next = sqlite3_next_stmt(connection.handle, last) {
      (count, last) = (count + 1, next)
    }
    return count
  }

  @Test func eachRunHasItsOwnValues() throws {
    try open().use { connection throws in
      #expect(try first(title(1), connection) == .text("a"))
      #expect(try first(title(3), connection) == .null)
      #expect(try first(title(4), connection) == nil)
      #expect(try first(title(2), connection) == .text("b"))
      #expect(count(connection) == 1)
    }
  }

  /// A value that isn't bound again is NULL, not the value of the previous run.
  @Test func valuesAreForgotten() throws {
    try open().use { connection throws in
      let sql = RenderedSQL("SELECT \(value: .text("secret")), \(value: .text("too"))")
      _ = try first(sql, connection)
      #expect(try first(sql.binding([]), connection) == .null)
    }
  }

  /// A second read of the same text uses another statement while the first one runs.
  @Test func oneAtWorkIsNotGivenAway() throws {
    try open().use { connection throws in
      let sql = RenderedSQL("SELECT Z_PK FROM ZITEM ORDER BY Z_PK")
      var outer = try connection.prepareKept(sql)
      var pairs: [[Int64]] = []
      while try outer.step() {
        var inner = try connection.prepareKept(sql)
        while try inner.step() { pairs.append([outer.integer(at: 0), inner.integer(at: 0)]) }
      }
      #expect(pairs.count == 9 && pairs.last == [3, 3])
    }
  }

  /// The schema of another connection: an index, a table that was created again, statistics.
  @Test func itFollowsTheSchema() throws {
    let database = try open()
    let other = try PlainDatabase(path)
    let byTitle = RenderedSQL("SELECT Z_PK FROM ZITEM WHERE ZTITLE = \(value: .text("b"))")
    for change in [
      "CREATE INDEX byTitle ON ZITEM (ZTITLE)", "ANALYZE", "DROP INDEX byTitle",
      "ALTER TABLE ZITEM ADD COLUMN ZMORE INTEGER",
      """
      CREATE TABLE other (ZTITLE VARCHAR, x, Z_PK INTEGER PRIMARY KEY);
      INSERT INTO other SELECT ZTITLE, 7, Z_PK FROM ZITEM; DROP TABLE ZITEM;
      ALTER TABLE other RENAME TO ZITEM
      """,
    ] {
      try database.use { connection throws in
        #expect(try first(byTitle, connection) == .integer(2))
        #expect(try first(title(1), connection) == .text("a"))
      }
      try other.execute(change)
      try database.use { connection throws in
        #expect(try first(byTitle, connection) == .integer(2), "\(change)")
        #expect(try first(title(1), connection) == .text("a"), "\(change)")
      }
    }
    try other.execute("DROP TABLE ZITEM")
    #expect(throws: DatabaseError.self) {
      try database.use { connection throws in _ = try first(title(1), connection) }
    }
  }

  /// A statement that failed is compiled again, and the error is thrown each time.
  @Test func aFailureIsNotKept() throws {
    try open().use { connection throws in
      let sql = RenderedSQL("SELECT abs(\(value: .integer(.min)))")
      for _ in 0..<2 { #expect(throws: DatabaseError.self) { try first(sql, connection) } }
      #expect(count(connection) == 0)
      #expect(try first(sql.binding([.integer(-2)]), connection) == .integer(2))
    }
  }

  @Test func fewAreKeptAndNoneIsLeft() throws {
    let database = try open()
    try database.use { connection throws in
      for number in 0..<200 {
        let sql = SQL(segments: [.text("SELECT \(number)")])
        #expect(try first(RenderedSQL(sql), connection) == .integer(Int64(number)))
      }
      #expect(count(connection) == 64)
    }
    // SQLite refuses to close a connection that has statements.
    try database.close()
    #expect(throws: DatabaseError.self) { try database.use { _ in } }
  }
}
