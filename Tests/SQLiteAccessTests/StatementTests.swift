import StoreDiagnostics
import PlainSQLite
import SQLiteAccess
import Testing
import TestSupport

/// Values are the same after they are written to SQLite and read, as bound values and as literals.
@Suite struct StatementTests {
  static let edges: [SQLiteValue] = [
    .null, .integer(.min), .integer(.max), .integer(0), .real(0.1), .real(-1e300),
    .real(.leastNonzeroMagnitude),
    .real(3), .real(.infinity), .real(-.infinity), .text(""), .text("it's"), .text("a\0b"),
    .text("\0"),
    .text("süß 🧋"), .text("'); DROP TABLE ZITEM; --"), .blob([]), .blob([0, 39, 255]),
  ]

  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path("Todo.sqlite")
    try PlainDatabase(path).execute(
      "PRAGMA journal_mode = WAL; CREATE TABLE ZITEM (Z_PK INTEGER PRIMARY KEY, ZTITLE VARCHAR)")
  }

  private func open(_ access: Database.Access) throws -> Database {
    ReadAheadVFS.register()
    WriteGatheringVFS.register()
    let file = try DatabaseFile(LocalPath(path))
    let opening = access == .reading ? file.readOnlyOpening : file.writableOpening
    return try Database(uri: opening.uri, path: LocalPath(path), access)
  }

  @Test(arguments: edges)
  func boundAndWrittenOutAreTheSame(_ value: SQLiteValue) throws {
    try open(.reading).read { connection in
      #expect(try connection.rows("SELECT \(value: value)") == [[value]])
      let statement: SQL = "SELECT \(value: value)"
      let text = statement.literalText
      var written = try Statement(text, on: connection)
      #expect(try written.step())
      #expect(written.value(at: 0) == value, "\(text)")
    }
  }

  @Test(arguments: ["ZITEM", "select", "a\"b", "a b", "", "x'; --", "1a", "Zä"])
  func anyNameIsQuoted(_ name: String) throws {
    guard !name.isEmpty else { return }
    let database = try open(.writing)
    try database.write { connection in
      try connection.define("CREATE TABLE \(name: "Z\(name)") (\(name: "Z" + name) INTEGER)")
      try connection.run("INSERT INTO \(name: "Z\(name)") VALUES (7)")
      #expect(try connection.integer("SELECT \(name: "Z" + name) FROM \(name: "Z\(name)")") == 7)
    }
  }

  @Test func aRefusedStatementIsOurBug() throws {
    let database = try open(.reading)
    #expect(
      throws: DatabaseError.sql(path: LocalPath(path), code: 1, message: "no such table: ZNOTHING")
    ) { try database.read { try $0.rows("SELECT * FROM ZNOTHING") } }
  }

  @Test func aFullDiskChangesNothing() throws {
    let database = try open(.writing)
    let pages = try database.read { try $0.integer("PRAGMA page_count") }
    let limit = SQL(segments: [.text("PRAGMA max_page_count = \(pages)")])
    #expect(throws: DatabaseError.diskFull(path: LocalPath(path))) {
      try database.write { connection in
        try connection.run(limit)
        try connection.run(
          """
          WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000) \
          INSERT INTO ZITEM (ZTITLE) SELECT hex(randomblob(100)) FROM n
          """)
      }
    }
    #expect(try database.read { try $0.integer("SELECT count(*) FROM ZITEM") } == 0)
  }
}
