import StoreDiagnostics
import SQLiteAccess
import StoreLayout

extension Explanation {
  /// An index that the model doesn't have, and that would spare a statement from reading a large table.
  package struct AdvisedIndex: Hashable, Sendable {
    package var entity: String
    package var property: String
    package var table: String
  }

  /// A table with more rows is large.
  package static let largeTableRows = 10_000

  /// The single columns of large tables by which SQLite would search, or sort, if they had indexes.
  ///
  /// As for indexes that are missing, SQLite decides on a copy of the schema.
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
  /// The attributes whose values are in a table's rows, each with the first entity that has it.
  fileprivate func columns(
    of table: String
  ) -> [(property: String, column: String, entity: String)] {
    var known: Set<String> = []
    return entities.filter { $0.table == table }.flatMap { entity in
      entity.attributes.sorted { $0.key < $1.key }.compactMap { name, column in
        guard known.insert(column.column).inserted else { return nil }
        return (name, column.column, entity.name)
      }
    }
  }
}
