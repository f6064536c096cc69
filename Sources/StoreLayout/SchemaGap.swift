package import SQLiteAccess

/// Something that a store's model needs and its file lacks: someone, or something, has altered the store.
package enum SchemaGap: Hashable, Sendable {
  /// - instead: what has the table's name.
  case table(String, entity: String?, instead: DatabaseSchema.StandIn?)
  /// A table that never had a row, because its entity has never handed out a key.
  case emptyTable(String, entity: String?)
  /// A join table has another name than the one under which Core Data looks for it.
  case joinTableName(String, usual: String)
  /// A column that holds values.
  case column(String, table: String)
  /// A column beside a key: the entity of the row that it leads to, or a place in an ordered relationship.
  case companion(OmittedColumn)
  /// Nothing keeps the primary key of a table unique.
  case primaryKey([String], table: String)
  /// An index that only makes requests faster, or one that keeps values unique.
  case index(IndexLayout, table: String)
  /// Of a derived attribute.
  case trigger(TriggerLayout)
  /// An R-tree, or a trigger that keeps its rows.
  case rTree(RTreeLayout)
  /// An entity's row in `Z_PRIMARYKEY`.
  case number(Int64, entity: String, table: String, isRoot: Bool)

  /// Requests would give wrong answers, or none ever.
  package var preventsReading: Bool {
    switch self {
    case .table(let name, _, let instead): instead != nil || name == FixedTable.primaryKeys
    case .column(_, let table): table == FixedTable.primaryKeys
    case .emptyTable, .joinTableName, .companion, .primaryKey, .index, .trigger, .rTree, .number:
      false
    }
  }

  /// Requests, writes and migrations of this program give the same results without it.
  package var isHarmless: Bool {
    switch self {
    case .index(let index, _): !index.isUnique
    case .joinTableName, .rTree: true
    case .table, .emptyTable, .column, .companion, .primaryKey, .trigger, .number: false
    }
  }

  /// A repair makes it; what it holds follows from the rest of the store, or, of a place, is said to be lost.
  package var isRepairable: Bool {
    switch self {
    case .emptyTable, .joinTableName, .companion, .index, .trigger, .rTree: true
    case .table, .column, .primaryKey, .number: false
    }
  }

  /// The writes that would go wrong unnoticed; others name what they lack themselves.
  package var spoiledWrites: (table: String, events: [WriteEvent])? {
    switch self {
    case .table, .emptyTable, .joinTableName, .column, .rTree: nil
    case .companion(let column): (column.table, [.insert, .update([column.key])])
    case .primaryKey(_, let table): (table, [.insert])
    case .index(let index, let table):
      index.isUnique ? (table, [.insert, .update(index.columns.map(\.name))]) : nil
    case .trigger(let trigger): (trigger.table, [trigger.event])
    case .number(_, _, let table, let isRoot): isRoot ? (table, [.insert]) : nil
    }
  }
}

extension SchemaGap {
  /// `the column Z_FOK_ENTRY of ZPHOTO`
  package var name: String {
    switch self {
    case .table(let table, let entity, nil), .emptyTable(let table, let entity):
      "the table \(table)" + (entity.map { " of '\($0)'" } ?? "")
    case .table(let table, _, let instead?): "a table \(table), which is a \(instead.rawValue)"
    case .joinTableName(let table, let usual): "the name \(usual) of the table \(table)"
    case .column(let column, let table): "the column \(column) of \(table)"
    case .companion(let column): "the column \(column.column) of \(column.table)"
    case .primaryKey(let columns, let table):
      "the primary key of \(table) (\(columns.joined(separator: ", ")))"
    case .index(let index, let table):
      "the \(index.isUnique ? "unique " : "")index \(index.name) on \(table)"
        + " (\(index.columns.map(\.name).joined(separator: ", ")))"
    case .rTree(let tree): "the R-tree \(tree.name) over \(tree.table) with its triggers"
    case .trigger(let trigger): "the trigger \(trigger.name) on \(trigger.table)"
    case .number(let number, let entity, _, _):
      "the row \(number) of Z_PRIMARYKEY, which is '\(entity)'"
    }
  }
}
