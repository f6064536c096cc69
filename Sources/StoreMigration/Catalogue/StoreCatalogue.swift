import StoreSQL
package import StoreLayout

/// What a store file holds before a migration, as far as the plan depends on it: its tables, indexes
/// and triggers, its entity numbers, and the highest key of each table.
package struct StoreCatalogue: Hashable, Sendable {
  package struct Table: Hashable, Sendable {
    package var name: String
    package var columns: [ColumnLayout]
    package var primaryKey: [String]
    /// It has an index that belongs to a UNIQUE or PRIMARY KEY clause, which only a new table sheds.
    package var hasAutomaticIndex: Bool
  }

  package struct Index: Hashable, Sendable {
    package var table: String
    package var layout: IndexLayout
    /// The text behind WHERE, as the catalogue has it.
    package var condition: String?
  }

  package struct Trigger: Hashable, Sendable {
    package var name: String
    package var table: String
    package var sql: String
  }

  package var tables: [String: Table]
  /// What has a name that neither a table nor an index can have then, by that name in lower case: views and virtual tables;
  /// in a chain all that is an app's own.
  var others: [String: ForeignNames.Kind] = [:]
  package var indexes: [Index]
  package var triggers: [Trigger]
  package var primaryKeys: [PrimaryKeyRow]
  /// The highest `Z_PK` that a table holds or ever held.
  package var highestKeys: [String: Int64]
  /// How many columns the history has for values of deleted rows; nil where there is no history.
  package var tombstoneCount: Int?
  package var hasModelCache: Bool
}

extension StoreCatalogue {
  /// What a store of the layout has, for the second step of a chain.
  ///
  /// - Parameter foreign: what is there besides.
  package init(
    of layout: StoreLayout, besides foreign: ForeignNames = ForeignNames(),
    highestKeys: [String: Int64], tombstoneCount: Int?, hasModelCache: Bool
  ) {
    let entityTables = layout.tables.map {
      Table(
        name: $0.name, columns: $0.columns, primaryKey: [FixedColumn.primaryKey],
        hasAutomaticIndex: false)
    }
    let joinTables = layout.joinTables.map {
      Table(
        name: $0.name, columns: $0.columns, primaryKey: $0.primaryKey, hasAutomaticIndex: true)
    }
    tables = Dictionary(
      (entityTables + joinTables).map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    indexes = layout.allIndexes.map { table, index in
      Index(table: table, layout: index, condition: index.condition?.literalText)
    }
    others = foreign.objects
    triggers =
      layout.triggers.map {
        Trigger(name: $0.name, table: $0.table, sql: $0.sql.literalText)
      } + foreign.triggers.sorted().map { Trigger(name: $0, table: "", sql: "") }
    primaryKeys = layout.entities.map {
      PrimaryKeyRow(number: $0.number, name: $0.name, parentNumber: $0.parentNumber)
    }
    self.highestKeys = highestKeys
    self.tombstoneCount = tombstoneCount
    self.hasModelCache = hasModelCache
  }
}

extension StoreLayout {
  /// With the tables that they are on.
  var allIndexes: [(table: String, index: IndexLayout)] {
    tables.flatMap { table in table.indexes.map { (table.name, $0) } }
      + joinTables.compactMap { table in table.index.map { (table.name, $0) } }
  }
}
