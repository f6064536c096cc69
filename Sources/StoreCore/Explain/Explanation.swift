import PredicateSQL
package import SQLiteAccess
import StoreDiagnostics
package import StoreLayout

/// How SQLite runs a statement: its plan, the indexes that it uses, and the missing indexes of the model that it would
/// use.
package struct Explanation: Hashable, Sendable {
  /// A line of SQLite's plan.
  package struct Step: Hashable, Sendable {
    /// The line, such as `SEARCH t0 USING INDEX ZITEM_ZLIST_INDEX (ZLIST=?)`.
    package var detail: String
    /// The number of enclosing steps.
    package var depth: Int

    /// The index of the schema that the step uses, or nil for a temporary index, the primary key or no index.
    package var index: String? {
      for phrase in ["USING INDEX ", "USING COVERING INDEX "] {
        guard let start = detail.firstRange(of: phrase)?.upperBound else { continue }
        let rest = detail[start...]
        return String(rest[..<(rest.firstRange(of: " (")?.lowerBound ?? rest.endIndex)])
      }
      return nil
    }

    /// Whether the step visits all rows of a table.
    package var isScan: Bool { detail.hasPrefix("SCAN ") && !detail.hasPrefix("SCAN CONSTANT") }
  }

  /// An index of the model that the store doesn't have.
  package struct MissingIndex: Hashable, Sendable {
    package var name: String
    package var table: String
    /// The statement that creates it.
    package var statement: String
  }

  /// The SQL with the parameters `?1`, `?2` and so on.
  package var sql: String
  package var parameters: [SQLiteValue]
  package var steps: [Step]
  package var missing: [MissingIndex]
  package var advised: [AdvisedIndex]

  /// The used indexes without duplicates, in the order of the plan.
  package var indexes: [String] {
    steps.compactMap(\.index).reduce(into: []) { found, index in
      if !found.contains(index) { found.append(index) }
    }
  }

  /// - Parameter connection: a connection to the store with storetool's SQL functions.
  /// - Throws: `DatabaseError`
  package init(
    _ statement: SQL, in layout: StoreLayout, on connection: Connection
  ) throws {
    (sql, parameters) = statement.rendered()
    steps = try Self.plan(of: statement, on: connection)
    missing = try Self.missingIndexes(for: statement, in: layout, on: connection)
    advised =
      missing.isEmpty ? try Self.advice(for: statement, steps, in: layout, on: connection) : []
  }

  package static func plan(of statement: SQL, on connection: Connection) throws(DatabaseError)
    -> [Step]
  {
    var depths: [Int64: Int] = [0: -1]
    return try connection.rows("EXPLAIN QUERY PLAN \(statement)").compactMap { row in
      guard case .integer(let id) = row[0], case .integer(let parent) = row[1],
        case .text(let detail) = row[3]
      else { return nil }
      let depth = (depths[parent] ?? -1) + 1
      depths[id] = depth
      return Step(detail: detail, depth: depth)
    }
  }
}

extension Explanation {
  /// An index that isn't in the model. With it, SQLite would search a large table instead of reading all its rows, or
  /// wouldn't have to sort.
  package struct AdvisedIndex: Hashable, Sendable {
    package var entity: String
    package var property: String
    package var table: String
  }

  /// A table with more rows than this is large.
  package static let largeTableRows = 10_000

  /// Returns indexes of single columns of large tables with which SQLite would search the table or wouldn't have to
  /// sort.
  ///
  /// SQLite plans the statement in a copy of the store's schema with these indexes and without rows.
  static func advice(
    for statement: SQL, _ steps: [Step], in layout: StoreLayout, on connection: Connection
  ) throws -> [AdvisedIndex] {
    guard steps.contains(where: \.isScan) else { return [] }
    let schema = try connection.databaseSchema()
    let large = try layout.tables.filter {
      try schema.tables[$0.name] != nil && connection.isLarge($0.name)
    }
    guard !large.isEmpty else { return [] }
    let copy = try SchemaCopy(beside: connection)
    copy.define(schema)
    var advised: [String: AdvisedIndex] = [:]
    for table in large {
      for (property, column, entity) in layout.columns(of: table.name) {
        let index = IndexLayout(
          name: "ADVISED_\(advised.count)", isUnique: false,
          columns: [.init(name: column, isAscending: true)])
        guard copy.define(index.sql(on: table.name).literalText) else { continue }
        advised[index.name] = AdvisedIndex(entity: entity, property: property, table: table.name)
      }
    }
    let better = try plan(of: statement, on: copy.connection)
    let sparesSort = steps.contains(where: \.isSort) && !better.contains(where: \.isSort)
    return better.filter { !$0.isScan || sparesSort }.compactMap(\.index).compactMap { advised[$0] }
  }
}

extension Explanation.Step {
  fileprivate var isSort: Bool { detail.contains("TEMP B-TREE FOR ORDER BY") }
}

extension Connection {
  fileprivate func isLarge(_ table: String) throws(DatabaseError) -> Bool {
    let limit = Int64(Explanation.largeTableRows)
    return try integer(
      "SELECT count(*) FROM (SELECT 1 FROM \(name: table) LIMIT \(value: .integer(limit + 1)))")
      > limit
  }
}

extension StoreLayout {
  /// The attributes of a table's rows, each with the first entity that has it.
  fileprivate func columns(
    of table: String
  ) -> [(property: String, column: String, entity: String)] {
    var known: Set<String> = []
    return entities(in: table).flatMap { entity in
      entity.attributes.sorted { $0.key < $1.key }.compactMap { name, column in
        guard known.insert(column.column).inserted else { return nil }
        return (name, column.column, entity.name)
      }
    }
  }
}

extension Explanation {
  /// Returns the indexes of the model that the store doesn't have and that SQLite would use.
  ///
  /// The indexes are created in a copy of the store's schema without rows, for which SQLite plans the statement.
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
  /// Returns the indexes of the model that are missing in the store, which doesn't have an index with the same name or
  /// with the same columns. Names can differ, because migrated stores keep old indexes. Of several indexes with the
  /// same columns, only the first is returned.
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

/// A database in memory with the tables, indexes and statistics of another database, but without its rows.
struct SchemaCopy {
  let connection: Connection
  // The connection is closed when this object is released.
  private let database: Database

  init(beside source: Connection) throws {
    database = try Database(uri: ":memory:", path: source.path, .writing) {
      try SQLFunctions.register(on: $0)
    }
    connection = try database.use { $0 }
  }

  /// Returns false if SQLite rejects the definition, for example because the store lacks a column of the model's index.
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

  /// Copies the statistics of ANALYZE, which the planner uses to compare indexes.
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
