import PredicateSQL
import StoreLayout
import SQLiteAccess
import StoreModel
import StorePredicate

/// `SELECT … FROM … WHERE …` over the source rows of a transfer.
struct TransferQuery {
  let transfer: EntityTransfer
  let source: StoreLayout
  var rows: RowQuery

  init(_ transfer: EntityTransfer, in source: StoreLayout, storeUUID: String? = nil) {
    self.transfer = transfer
    self.source = source
    rows = RowQuery(transfer.source, in: source, storeUUID: storeUUID)
  }

  /// What the transfer's rows satisfy; empty when they are all rows of the table.
  mutating func conditions() throws -> [SQL] {
    var conditions: [SQL] = []
    if transfer.source.sharesTable {
      conditions.append(
        "\(.name(rows.alias, FixedColumn.entity)) = \(.integer(transfer.source.number))")
    }
    if let filter = transfer.mapping.filter { conditions.append("(\(try rows.condition(filter)))") }
    return conditions
  }

  mutating func select(_ results: [SQL]) throws -> SQL {
    let conditions = try conditions()
    let clause: SQL = conditions.isEmpty ? "" : " WHERE \(conditions.joined(" AND "))"
    return "SELECT \(results.joined(", ")) FROM \(rows.source)\(clause)"
  }

  /// The new key of a row.
  var key: SQL {
    let key = SQL.name(rows.alias, FixedColumn.primaryKey)
    return transfer.offset == 0 ? key : "\(key) + \(.integer(transfer.offset))"
  }

  /// The keys of the rows that a transfer takes.
  static func keys(of transfer: EntityTransfer, in source: StoreLayout) throws -> SQL {
    var query = TransferQuery(transfer, in: source)
    return try query.select([.name(query.rows.alias, FixedColumn.primaryKey)])
  }
}
