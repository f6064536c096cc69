import PredicateSQL
import SQLiteAccess
import StoreLayout
import StoreSQL

extension Explanation {
  /// The indexes of the model that the store lacks and that SQLite would use, if it had them.
  ///
  /// SQLite itself decides that: a copy of the store's schema without rows gets them all, and the statement is
  /// planned there.
  static func missingIndexes(
    for statement: SQL, in layout: StoreLayout, on connection: Connection
  ) throws -> [MissingIndex] {
    let present = try Set(
      connection.rows("SELECT name FROM sqlite_master WHERE type = 'index'").map { $0[0] })
    let absent = layout.tables.flatMap { table in
      table.indexes.filter { !present.contains(.text($0.name)) }.map { (table.name, $0) }
    }
    guard !absent.isEmpty else { return [] }
    let copy = try SchemaCopy(beside: connection)
    try copy.fill(from: connection)
    var made: [MissingIndex] = []
    for (table, index) in absent where try !copy.hasIndex(index, on: table) {
      let statement = index.sql(on: table).literalText
      guard copy.define(statement) else { continue }
      made.append(MissingIndex(name: index.name, table: table, statement: statement))
    }
    let used = try plan(of: statement, on: copy.connection).compactMap(\.index)
    return made.filter { used.contains($0.name) }
  }
}

/// A database in memory with another one's tables, indexes and statistics, but none of its rows.
private struct SchemaCopy {
  let connection: Connection
  // Closes the connection when it goes.
  private let database: Database

  init(beside source: Connection) throws {
    database = try Database(uri: ":memory:", path: source.path, .writing) {
      try SQLFunctions.register(on: $0)
    }
    connection = try database.use { $0 }
  }

  /// False when SQLite refuses it: an altered store can lack a column that the model's index names.
  func define(_ text: String) -> Bool {
    do {
      try connection.runScript(text)
      return true
    } catch {
      return false
    }
  }

  func fill(from source: Connection) throws(DatabaseError) {
    try copySchema(of: source)
    try copyStatistics(of: source)
  }

  private func copySchema(of source: Connection) throws(DatabaseError) {
    let statements = try source.rows(
      """
      SELECT sql FROM sqlite_master WHERE type IN ('table', 'index') AND sql IS NOT NULL \
      AND name NOT GLOB 'sqlite_*' ORDER BY type DESC
      """)
    for case .text(let text)? in statements.map(\.first) { _ = define(text) }
  }

  /// What ANALYZE found in the store; the planner weighs indexes by it.
  private func copyStatistics(of source: Connection) throws(DatabaseError) {
    let count = try source.integer(
      "SELECT COUNT(*) FROM sqlite_master WHERE name = 'sqlite_stat1'")
    guard count > 0 else { return }
    try connection.run("ANALYZE")
    for row in try source.rows("SELECT tbl, idx, stat FROM sqlite_stat1") {
      try connection.run(
        "INSERT INTO sqlite_stat1 VALUES (\(value: row[0]), \(value: row[1]), \(value: row[2]))")
    }
    try connection.run("ANALYZE sqlite_master")
  }

  /// An index over the same columns, under whatever name: stores that were migrated in place keep old ones.
  func hasIndex(_ index: IndexLayout, on table: String) throws(DatabaseError) -> Bool {
    let wanted = index.columns.map { SQLiteValue.text($0.name) }
    let names = try connection.rows("SELECT name FROM pragma_index_list(\(value: .text(table)))")
    for name in names {
      let columns = try connection.rows(
        "SELECT name FROM pragma_index_info(\(value: name[0])) ORDER BY seqno")
      if columns.map({ $0[0] }) == wanted { return true }
    }
    return false
  }
}
