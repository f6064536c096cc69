import SQLiteAccess

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
