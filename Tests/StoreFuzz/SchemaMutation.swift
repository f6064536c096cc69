import PlainSQLite
import SeededRandom

/// Creates statements that alter a store: its schema, its rows or its metadata.
struct SchemaMutation {
  private let database: PlainDatabase
  private let tables: [String]

  init(_ database: PlainDatabase) throws {
    self.database = database
    tables = try database.texts(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND rootpage > 0 AND name NOT LIKE 'sqlite%' ORDER BY 1"
    )
  }

  /// Returns a statement of any kind. Some of them fail, and then don't alter the store.
  func next(_ random: inout SeededGenerator) throws -> String {
    guard !tables.isEmpty else { return "SELECT 1" }
    let table = random.pick(tables)
    let columns = try database.texts("SELECT name FROM pragma_table_info(?) ORDER BY cid", table)
    guard !columns.isEmpty else { return "SELECT 1" }
    let column = random.pick(columns)
    switch random.below(10) {
    case 0: return try missing(table, column, &random)
    case 1: return standIn(for: table, columns, &random)
    case 2: return foreign(table, &random)
    case 3: return catalogue(table, &random)
    case 4: return numbers(&random)
    case 5: return metadata(&random)
    default: return rows(of: table, column, &random)
    }
  }

  private func missing(
    _ table: String, _ column: String, _ random: inout SeededGenerator
  ) throws -> String {
    func object(_ type: String) throws -> String {
      let names = try database.texts(
        "SELECT name FROM sqlite_master WHERE type = ? AND sql NOT NULL ORDER BY 1", type)
      return names.isEmpty ? "nothing" : random.pick(names)
    }
    switch random.below(7) {
    case 0: return "DROP TABLE \(table)"
    case 1: return "ALTER TABLE \(table) RENAME TO GONE"
    case 2: return "ALTER TABLE \(table) RENAME TO \(table.lowercased())x"
    case 3: return "ALTER TABLE \(table) DROP COLUMN \(column)"
    case 4:
      return "PRAGMA legacy_alter_table = ON; ALTER TABLE \(table) RENAME COLUMN \(column) TO GONE"
    case 5: return "DROP INDEX \(try object("index"))"
    default: return "DROP TRIGGER \(try object("trigger"))"
    }
  }

  /// Returns the SQL of another object in place of a table.
  private func standIn(
    for table: String, _ columns: [String], _ random: inout SeededGenerator
  ) -> String {
    let list = columns.joined(separator: ", ")
    let ones = columns.map { _ in "1" }.joined(separator: ", ")
    let nexts = (["\(columns[0]) + 1"] + columns.dropFirst().map { _ in "1" }).joined(
      separator: ", ")
    let drop = "DROP TABLE \(table); "
    switch random.below(6) {
    case 0: return "ALTER TABLE \(table) RENAME TO KEPT; CREATE VIEW \(table) AS SELECT * FROM KEPT"
    case 1:
      return drop
        + "CREATE VIEW \(table) AS WITH RECURSIVE t(\(list)) AS (SELECT \(ones) UNION ALL SELECT \(nexts) FROM t) SELECT * FROM t"
    case 2: return drop + "CREATE VIRTUAL TABLE \(table) USING fts5(\(list))"
    case 3:
      return
        "CREATE TABLE KEPT AS SELECT * FROM \(table); \(drop)ALTER TABLE KEPT RENAME TO \(table)"
    case 4:
      return drop + "CREATE TABLE \(table) (\(list), PRIMARY KEY (\(columns[0]))) WITHOUT ROWID"
    default: return drop + "CREATE TABLE \(table) (Z_PK INTEGER PRIMARY KEY, X AS (Z_PK + 1))"
    }
  }

  /// Returns the SQL of an object that an app or a user adds.
  private func foreign(_ table: String, _ random: inout SeededGenerator) -> String {
    switch random.below(11) {
    case 0: return "CREATE TRIGGER mine AFTER INSERT ON \(table) BEGIN DELETE FROM \(table); END"
    case 1:
      return "CREATE TABLE app (a); CREATE TRIGGER mine AFTER INSERT ON app BEGIN SELECT 1; END"
    case 2: return "CREATE TRIGGER Z_DA_MINE AFTER UPDATE ON \(table) BEGIN SELECT nosuch(1); END"
    case 3: return "CREATE VIRTUAL TABLE docs USING fts5(a, content='gone')"
    case 4: return "CREATE VIRTUAL TABLE docs USING fts5(a); DROP TABLE docs_data"
    case 5:
      return """
        PRAGMA writable_schema = ON; INSERT INTO sqlite_master VALUES
        ('table', 'docs', 'docs', 0, 'CREATE VIRTUAL TABLE docs USING nosuch(a)')
        """
    case 6: return "CREATE VIEW broken AS SELECT * FROM nowhere"
    case 7: return "CREATE TABLE ACHANGE (a, b)"
    case 8: return "CREATE TABLE ATRANSACTION (Z_PK INTEGER PRIMARY KEY)"
    case 9: return "CREATE INDEX mine ON \(table) (abs(1))"
    default: return "CREATE UNIQUE INDEX mine ON \(table) (Z_ENT)"
    }
  }

  /// Returns a change of the rows of `sqlite_master`.
  private func catalogue(_ table: String, _ random: inout SeededGenerator) -> String {
    let change = random.pick([
      "sql = 'nonsense'", "sql = NULL", "rootpage = \(random.below(40))", "rootpage = NULL",
      "type = 'view'", "tbl_name = 'OTHER'", "sql = substr(sql, 1, \(10 + random.below(60)))",
      "sql = replace(sql, 'INTEGER', 'TEXT')",
      "sql = replace(sql, 'Z_PK INTEGER PRIMARY KEY', 'Z_PK')",
      "name = lower(name)", "name = x'00ff'",
    ])
    return "PRAGMA writable_schema = ON; UPDATE sqlite_master SET \(change) WHERE name = '\(table)'"
  }

  private static let values = [
    "NULL", "x'00ff'", "x''", "''", "'text'", "0", "-1", "1", "2", "3", "77", "1.5",
    "-9223372036854775808",
    "9223372036854775807", "4294967296", "1e308", "-1e308", "9e999", "'NaN'", "zeroblob(70000)",
    "char(0)",
    "char(27) || '[31m'", "'%s%n'", "x'02' || 'no such file'",
    "x'0231313131313131312D323232322D343333332D383434342D35353535353535353535353500'",
    "replace(hex(zeroblob(3000)), '0', 'long ')", "CAST(x'C328' AS TEXT)",
  ]

  private func rows(
    of table: String, _ column: String, _ random: inout SeededGenerator
  ) -> String {
    let value = random.pick(Self.values)
    let places = [
      "", " WHERE rowid % 2 = \(random.below(2))", " WHERE rowid = \(1 + random.below(5))",
    ]
    switch random.below(8) {
    case 0: return "DELETE FROM \(table)\(random.pick(places))"
    case 1: return "INSERT INTO \(table) DEFAULT VALUES"
    case 2: return "INSERT INTO \(table) (\(column)) VALUES (\(value))"
    case 3: return "UPDATE OR IGNORE \(table) SET Z_ENT = \(value)\(random.pick(places))"
    case 4: return "UPDATE OR IGNORE \(table) SET Z_OPT = \(value)\(random.pick(places))"
    default: return "UPDATE OR IGNORE \(table) SET \(column) = \(value)\(random.pick(places))"
    }
  }

  private func numbers(_ random: inout SeededGenerator) -> String {
    let value = random.pick(Self.values)
    let row = " WHERE Z_ENT = \(1 + random.below(5))"
    switch random.below(7) {
    case 0: return "DELETE FROM Z_PRIMARYKEY\(row)"
    case 1: return "DELETE FROM Z_PRIMARYKEY"
    case 2: return "UPDATE Z_PRIMARYKEY SET Z_MAX = \(value)\(row)"
    case 3: return "UPDATE Z_PRIMARYKEY SET Z_SUPER = \(value)\(row)"
    case 4: return "UPDATE Z_PRIMARYKEY SET Z_NAME = \(value)\(row)"
    case 5: return "UPDATE OR IGNORE Z_PRIMARYKEY SET Z_ENT = \(value)\(row)"
    default:
      return
        "UPDATE Z_PRIMARYKEY SET Z_SUPER = Z_ENT; INSERT INTO Z_PRIMARYKEY (Z_NAME) VALUES (\(value))"
    }
  }

  private func metadata(_ random: inout SeededGenerator) -> String {
    let value = random.pick(Self.values)
    switch random.below(8) {
    case 0: return "DELETE FROM Z_METADATA"
    case 1: return "UPDATE Z_METADATA SET Z_PLIST = \(value)"
    case 2: return "UPDATE Z_METADATA SET Z_UUID = \(value)"
    case 3: return "UPDATE Z_METADATA SET Z_PLIST = substr(Z_PLIST, 1, \(random.below(900)))"
    case 4:
      let byte = String(random.below(256), radix: 16)
      let at = 1 + random.below(900)
      let hex = byte.count == 1 ? "0\(byte)" : byte
      return """
        UPDATE Z_METADATA SET Z_PLIST = CAST(substr(Z_PLIST, 1, \(at - 1)) || x'\(hex)' \
        || substr(Z_PLIST, \(at + 1)) AS BLOB)
        """
    case 5: return "INSERT INTO Z_METADATA (Z_VERSION, Z_UUID) VALUES (0, \(value))"
    case 6:
      return
        "CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB); INSERT INTO Z_MODELCACHE VALUES (\(value))"
    default: return "UPDATE Z_METADATA SET Z_VERSION = \(value)"
    }
  }
}
