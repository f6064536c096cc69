package import SQLiteAccess

/// A part of the model's layout that is missing in a store, because the file was altered.
package enum SchemaGap: Hashable, Sendable {
  /// A missing table. `instead` is the kind of a view or virtual table with the table's name, or nil.
  case table(String, entity: String?, instead: DatabaseSchema.StandIn?)
  /// A missing table that never had rows, because its entity has never used a key.
  case emptyTable(String, entity: String?)
  /// A join table whose name differs from the usual name, which Core Data uses.
  case joinTableName(String, usual: String)
  /// A missing column other than a companion. Its values are lost.
  case column(String, table: String)
  /// A missing companion column of a key, for the entity of the destination or for positions in an ordered
  /// relationship.
  case companion(OmittedColumn)
  /// A table whose primary key isn't declared as unique.
  case primaryKey([String], table: String)
  /// A missing index, which makes requests faster or enforces uniqueness.
  case index(IndexLayout, table: String)
  /// A missing trigger of a derived or counting attribute.
  case trigger(TriggerLayout)
  /// A missing R-tree, or an R-tree without one of its triggers.
  case rTree(RTreeLayout)
  /// The missing row of an entity in `Z_PRIMARYKEY`.
  case number(Int64, entity: String, table: String, isRoot: Bool)

  /// Whether the store is rejected for reading, because requests would have wrong results or fail.
  package var preventsReading: Bool {
    switch self {
    case .table(let name, _, let instead): instead != nil || name == FixedTable.primaryKeys
    case .column(_, let table): table == FixedTable.primaryKeys
    case .emptyTable, .joinTableName, .companion, .primaryKey, .index, .trigger, .rTree, .number:
      false
    }
  }

  /// Whether storetool's requests, writes and migrations have the same results without the missing part.
  package var isHarmless: Bool {
    switch self {
    case .index(let index, _): !index.isUnique
    case .joinTableName, .rTree: true
    case .table, .emptyTable, .column, .companion, .primaryKey, .trigger, .number: false
    }
  }

  /// Whether a repair can create the missing part. Its content follows from the rest of the store, or consists of
  /// positions, which the repair reports as lost.
  package var isRepairable: Bool {
    switch self {
    case .emptyTable, .joinTableName, .companion, .index, .trigger, .rTree: true
    case .table, .column, .primaryKey, .number: false
    }
  }

  /// The writes that would have wrong results without an error, or nil. Other writes report the missing part
  /// themselves.
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
  /// The missing part as text for messages, such as `the column Z_FOK_ENTRY of ZPHOTO`.
  package var name: String {
    switch self {
    case .table(let table, let entity, nil), .emptyTable(let table, let entity):
      "the table \(table)" + (entity.map { " of '\($0)'" } ?? "")
    case .table(let table, _, let instead?):
      "the table \(table) (a \(instead.rawValue) has this name)"
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
      "row \(number) of Z_PRIMARYKEY for '\(entity)'"
    }
  }
}
