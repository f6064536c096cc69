import SQLiteAccess
import StoreDiagnostics

extension StoreLayout {
  /// Returns the parts of the layout that a store doesn't contain.
  ///
  /// Indexes are compared by their columns, because versions of Core Data use different names and texts. Indexes that
  /// `framework` doesn't create aren't required (docs/formats/store-layout.md, "Indexes").
  ///
  /// - Parameter framework: the version of Core Data that wrote the store, or nil for the newest.
  package func gaps(in schema: StoreSchema, framework: Int64? = nil) -> [SchemaGap] {
    let needed =
      tables.map { ($0.name, $0.root, $0.columns, [FixedColumn.primaryKey]) }
      + joinTables.map { ($0.name, String?.none, $0.columns, $0.primaryKey) }
    let triggers = schema.database.triggers.map(\.name).exact
    var ofTables = TableGaps(layout: self, schema: schema)
    return schema.fixedGaps
      + needed.flatMap { ofTables.gaps(of: $0, entity: $1, columns: $2, key: $3) }
      + joinTables.filter { $0.name != $0.usualName }
      .map { .joinTableName($0.name, usual: $0.usualName) }
      + omissions.filter { !schema.hasColumn($0.column, in: $0.table) }.map(SchemaGap.companion)
      + indexGaps(in: schema, framework)
      + self.triggers.filter { schema.hasTable($0.table) && !triggers.contains(ExactText($0.name)) }
      .map(SchemaGap.trigger) + rTreeGaps(in: schema) + numberGaps(in: schema)
  }

  /// Returns the R-trees that are missing, or that lack a trigger. The triggers can be missing in a store that Core
  /// Data migrated (docs/formats/store-layout.md, "R-trees").
  private func rTreeGaps(in schema: StoreSchema) -> [SchemaGap] {
    let triggers = schema.database.triggers.map(\.name)
    return rTrees.filter { tree in
      guard tree.columns.allSatisfy({ schema.hasColumn($0, in: tree.table) }) else { return false }
      return schema.database.virtualTables[tree.name] == nil
        || !tree.triggers.allSatisfy { triggers.containsExactly($0.name) }
    }.map(SchemaGap.rTree)
  }

  private func indexGaps(in schema: StoreSchema, _ framework: Int64?) -> [SchemaGap] {
    let framework = framework ?? .max
    let ofTables = tables.flatMap { table in
      table.indexes.filter { $0.isUnique || framework >= Self.firstWithFetchIndexes }
        .map { ($0, table.name) }
    }
    let ofPairs = joinTables.compactMap { table in table.index.map { ($0, table.name) } }
      .filter { _ in framework >= Self.firstWithJoinIndexes }
    return (ofTables + ofPairs).compactMap { index, table in
      let columns = index.columns.map(\.name)
      guard let found = schema.database.tables[table], columns.allSatisfy(found.hasColumn) else {
        return nil
      }
      let isThere = index.isUnique ? found.isUnique(columns) : found.hasIndex(columns)
      return isThere ? nil : .index(index, table: table)
    }
  }

  private static let firstWithFetchIndexes: Int64 = 865
  private static let firstWithJoinIndexes: Int64 = 637

  private func numberGaps(in schema: StoreSchema) -> [SchemaGap] {
    guard !schema.fixedGaps.contains(where: \.preventsReading) else { return [] }
    let numbers = Set(schema.primaryKeys.map(\.number))
    return entities.filter { !numbers.contains($0.number) }.map {
      .number($0.number, entity: $0.name, table: $0.table, isRoot: $0.root == $0.name)
    }
  }
}

/// Finds the missing parts of tables. The companion columns and the unused tables are computed only once, and only if a
/// part is missing.
private struct TableGaps {
  let layout: StoreLayout
  let schema: StoreSchema
  private lazy var companions = layout.companions
  private lazy var unusedTables = layout.unusedTables(in: schema)

  init(layout: StoreLayout, schema: StoreSchema) {
    self.layout = layout
    self.schema = schema
  }

  mutating func gaps(
    of table: String, entity: String?, columns: [ColumnLayout], key: [String]
  ) -> [SchemaGap] {
    guard let found = schema.database.tables[table] else {
      let gap = schema.missing(table, of: entity)
      guard case .table(_, _, instead: nil) = gap, unusedTables.contains(table) else {
        return [gap]
      }
      return [.emptyTable(table, entity: entity)]
    }
    let missing = columns.map(\.name).filter { !found.hasColumn($0) }
    let gaps = missing.map { name -> SchemaGap in
      companions[table]?[name].map {
        .companion(OmittedColumn(table: table, column: name, key: $0))
      } ?? .column(name, table: table)
    }
    guard key.allSatisfy({ !missing.contains($0) }), !found.isUnique(key) else {
      return gaps
    }
    return gaps + [.primaryKey(key, table: table)]
  }
}

extension StoreLayout {
  /// Returns the tables that never had rows, because the entity has never used a key. For a join table, it is sufficient
  /// that one of its two entities has never used a key.
  fileprivate func unusedTables(in schema: StoreSchema) -> Set<String> {
    let highestKeys = Dictionary(schema.primaryKeys.map { ($0.number, $0.highestKey) }) {
      first, _ in first
    }
    var unused: Set<String> = []
    for entity in entities {
      guard let root = self.entity(named: entity.root), highestKeys[root.number] == 0 else {
        continue
      }
      unused.insert(entity.table)
      for case .joinTable(let join) in entity.toMany.values { unused.insert(join.table) }
    }
    return unused
  }

  /// The key column of each companion column, by the table and the companion column.
  fileprivate var companions: [String: [String: String]] {
    var keys: [String: [String: String]] = [:]
    func note(_ companions: [String?], beside key: String, in table: String) {
      for case let companion? in companions { keys[table, default: [:]][companion] = key }
    }
    for entity in entities {
      for column in entity.toOne.values {
        note([column.entityColumn, column.orderColumn], beside: column.column, in: entity.table)
      }
      for case .column(let key) in entity.toMany.values {
        note([key.orderColumn], beside: key.column, in: key.table)
      }
      for case .joinTable(let join) in entity.toMany.values {
        note([join.orderColumn], beside: join.destinationColumn, in: join.table)
      }
    }
    return keys
  }
}

extension StoreSchema {
  /// The missing parts that all stores require. The tables of the history are required if one of them exists.
  package var fixedGaps: [SchemaGap] {
    gaps(of: FixedTable.primaryKeys, FixedTable.keyColumns, key: FixedColumn.entity)
      + gaps(of: FixedTable.metadata, FixedTable.metadataColumns, key: FixedColumn.metadataVersion)
      + historyGaps
  }

  private var historyGaps: [SchemaGap] {
    HistoryFormat.needed { database.tables[$0]?.columnNames ?? [] }.flatMap { table, columns in
      gaps(of: table, FixedColumn.ofEveryRow + columns, key: FixedColumn.primaryKey)
    }
  }

  private func gaps(
    of table: String, _ needed: [String], key: String? = nil
  ) -> [SchemaGap] {
    guard let found = database.tables[table] else { return [missing(table, of: nil)] }
    let missing = needed.filter { !found.hasColumn($0) }
    guard missing.isEmpty, let key, !found.isUnique([key]) else {
      return missing.map { .column($0, table: table) }
    }
    return [.primaryKey([key], table: table)]
  }

  /// Returns the missing parts that are required for counting a table's rows.
  package func gaps(ofRowsIn table: String, of entity: String) -> [SchemaGap] {
    guard hasTable(table) else { return [missing(table, of: entity)] }
    return gaps(of: table, [FixedColumn.primaryKey, FixedColumn.entity])
  }

  package func missing(_ table: String, of entity: String?) -> SchemaGap {
    let standIn = database.standIns.first { $0.key.uppercased() == table.uppercased() }?.value
    return .table(table, entity: entity, instead: standIn)
  }
}
