import Foundation
package import SQLiteAccess
import StoreCore
import StoreDiagnostics
package import StoreLayout
import StoreModel

/// The state of a store before a mapping is executed, as far as the plan depends on it.
package struct SourceStore: Hashable, Sendable {
  package var layout: StoreLayout
  package var schema: StoreSchema
  /// The highest `Z_PK` in each table, by the table's name. In a state that `after(_:)` returns, it is an upper bound.
  package var highestKeys: [String: Int64]
  /// The objects that belong neither to the model nor to Core Data.
  var foreign: ForeignNames

  var tables: ExactDictionary<DatabaseSchema.Table> { schema.database.tables }

  /// The indexes that a CREATE INDEX statement created, with the names of their tables, sorted by the index's name.
  var indexes: [(table: String, index: DatabaseSchema.Index)] {
    tables.values.flatMap { table in
      table.indexes.filter { $0.definition != nil }.map { (table.name, $0) }
    }.sorted { $0.index.name < $1.index.name }
  }

  /// The names of tables, views and indexes in lower case, because SQLite ignores case.
  var takenNames: Set<ExactText> {
    (foreign.objects.keys + (tables.keys + indexes.map(\.index.name)).map { $0.lowercased() }).exact
  }
}

extension SourceStore {
  /// Reads the state of a store in one transaction.
  ///
  /// - Parameter model: the model that wrote the store.
  /// - Throws: `StoreLayoutError.incomplete` if a table or column is missing, `StoreLayoutError.foreignTrigger` if a
  ///   table of the model has a trigger that Core Data didn't create, and `DatabaseError`.
  init(_ store: Store, of model: DataModel) throws {
    do {
      self = try store.read { connection in
        let schema = try connection.schema()
        let layout = StoreLayout(model: model, in: schema)
        try store.requireWhole(for: layout, in: schema)
        return try SourceStore(layout, schema, connection)
      }
    } catch let error as DatabaseError {
      throw error.asDamage
    }
  }

  /// - Throws: `DatabaseError` if the tables can't be read.
  package init(_ layout: StoreLayout, _ schema: StoreSchema, _ connection: Connection) throws {
    self.layout = layout
    self.schema = schema
    foreign = schema.database.foreignNames(besides: layout)
    highestKeys = [:]
    for table in schema.database.tables.values where table.primaryKey == [FixedColumn.primaryKey] {
      highestKeys[table.name] = try connection.integer(
        "SELECT max(\(name: FixedColumn.primaryKey)) FROM \(name: table.name)")
    }
  }

  /// Returns the state after a plan was executed, with which the plan of the next mapping begins.
  func after(_ plan: MigrationPlan) -> SourceStore {
    let kept = schema.database.tables.filter { SchemaSnapshot.ownTables.contains($0.key) }
    var database = DatabaseSchema(of: plan.target)
    database.tables.merge(kept) { _, kept in kept }
    database.tables[HistoryTable.changes]?.addTombstones(plan.target.tombstoneCount)
    return SourceStore(
      layout: plan.target,
      schema: StoreSchema(
        database,
        primaryKeys: plan.target.entities.map(\.primaryKeyRow)),
      highestKeys: plan.highestKeys, foreign: foreign)
  }
}

extension DatabaseSchema.Table {
  /// Adds the columns that the history requires for `count` preserved values of deleted rows.
  fileprivate mutating func addTombstones(_ count: Int) {
    let present = HistoryColumn.tombstoneCount(among: columnNames)
    guard present < count else { return }
    columns += (present..<count).map {
      .init(name: HistoryColumn.tombstone($0), declaredType: DeclaredType.blob.rawValue)
    }
  }
}

extension DatabaseSchema {
  /// Creates the schema of a new store, without Core Data's own tables.
  package init(of layout: StoreLayout) {
    let entityTables = layout.tables.map {
      Table($0.name, $0.columns, key: [FixedColumn.primaryKey], $0.indexes)
    }
    let joinTables = layout.joinTables.map { join in
      let key = Index(
        name: "sqlite_autoindex_\(join.name)_1", parts: join.primaryKey.map { .init(column: $0) },
        isUnique: true, definition: nil)
      var table = Table(
        join.name, join.columns, key: join.primaryKey, join.index.map { [$0] } ?? [])
      table.indexes.insert(key, at: 0)
      return table
    }
    self.init(
      tables: ExactDictionary(
        (entityTables + joinTables).map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first }),
      standIns: ExactDictionary(
        layout.rTrees.map { ($0.name, .virtualTable) }, uniquingKeysWith: { first, _ in first }),
      virtualTables: ExactDictionary(
        layout.rTrees.map { ($0.name, $0.sql.literalText) }, uniquingKeysWith: { first, _ in first }
      ),
      triggers: layout.allTriggers.map {
        Trigger(name: $0.name, table: $0.table, definition: $0.sql.literalText)
      })
  }
}

extension DatabaseSchema.Table {
  fileprivate init(
    _ name: String, _ columns: [ColumnLayout], key: [String], _ indexes: [IndexLayout]
  ) {
    self.init(
      name: name,
      columns: columns.map { column in
        DatabaseSchema.Column(
          name: column.name, declaredType: column.declaredType,
          keyPosition: Int64((key.firstIndex { $0.isExactly(column.name) } ?? -1) + 1))
      },
      indexes: indexes.map { index in
        DatabaseSchema.Index(
          name: index.name,
          parts: index.columns.map {
            .init(column: $0.name, isAscending: $0.isAscending ?? true)
          },
          isUnique: index.isUnique, isPartial: index.condition != nil,
          definition: index.sql(on: name).literalText)
      })
  }

  /// Whether the table has an index of a UNIQUE or PRIMARY KEY clause, which can't be dropped.
  var hasAutomaticIndex: Bool { indexes.contains { $0.definition == nil } }
}

extension EntityLayout {
  /// The row for the entity in a new store.
  var primaryKeyRow: PrimaryKeyRow {
    PrimaryKeyRow(number: number, name: name, parentNumber: parentNumber)
  }
}

extension DatabaseSchema.Index {
  /// The index's layout without its condition, which is only known as text.
  var layout: IndexLayout {
    IndexLayout(
      name: name, isUnique: isUnique,
      columns: parts.map { .init(name: $0.column ?? "", isAscending: $0.isAscending) })
  }

  /// The condition of an index that Core Data or storetool created.
  var condition: String? {
    definition.flatMap { text in
      text.firstRange(of: ") WHERE ").map { String(text[$0.upperBound...]) }
    }
  }
}

extension StoreLayout {
  var allIndexes: [(table: String, index: IndexLayout)] {
    tables.flatMap { table in table.indexes.map { (table.name, $0) } }
      + joinTables.compactMap { table in table.index.map { (table.name, $0) } }
  }
}
