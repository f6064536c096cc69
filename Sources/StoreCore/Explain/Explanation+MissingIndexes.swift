import PredicateSQL
import SQLiteAccess
import StoreLayout
import StoreDiagnostics

extension Explanation {
  /// The indexes of the model that the store lacks and that SQLite would use, if it had them.
  ///
  /// SQLite itself decides that: a copy of the store's schema without rows gets them all, and the statement is
  /// planned there.
  static func missingIndexes(
    for statement: SQL, in layout: StoreLayout, on connection: Connection
  ) throws -> [MissingIndex] {
    let schema = try connection.databaseSchema()
    let absent = layout.tables.flatMap {
      $0.indexes(besides: schema.tables[$0.name]?.indexes ?? [])
    }
    guard !absent.isEmpty else { return [] }
    let copy = try SchemaCopy(beside: connection)
    copy.define(schema)
    try copy.copyStatistics(of: connection)
    var made: [MissingIndex] = []
    for (table, index) in absent {
      let statement = index.sql(on: table).literalText
      guard copy.define(statement) else { continue }
      made.append(MissingIndex(name: index.name, table: table, statement: statement))
    }
    let used = try plan(of: statement, on: copy.connection).compactMap(\.index)
    return made.filter { used.contains($0.name) }
  }
}

extension TableLayout {
  /// The first index over each list of columns that none of these has, under whatever name: stores that were migrated in
  /// place keep old ones.
  fileprivate func indexes(
    besides present: [DatabaseSchema.Index]
  ) -> [(table: String, index: IndexLayout)] {
    var known = Set(present.map(\.columns))
    let names = Set(present.map(\.name))
    return indexes.filter { index in
      !names.contains(index.name) && known.insert(index.columns.map(\.name)).inserted
    }.map { (name, $0) }
  }
}

/// A database in memory with another one's tables, indexes and statistics, but none of its rows.
struct SchemaCopy {
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

  func define(_ schema: DatabaseSchema) {
    let tables = schema.tables.values.filter { !$0.name.hasPrefix("sqlite_") }
    for table in tables { _ = define(table.definition) }
    for case let definition? in tables.flatMap(\.indexes).map(\.definition) {
      _ = define(definition)
    }
  }

  /// What ANALYZE found in the store; the planner weighs indexes by it.
  func copyStatistics(of source: Connection) throws(DatabaseError) {
    guard try source.hasTable("sqlite_stat1") else { return }
    try connection.run("ANALYZE")
    for row in try source.rows("SELECT tbl, idx, stat FROM sqlite_stat1") {
      try connection.run(
        "INSERT INTO sqlite_stat1 VALUES (\(value: row[0]), \(value: row[1]), \(value: row[2]))")
    }
    try connection.run("ANALYZE sqlite_master")
  }
}
