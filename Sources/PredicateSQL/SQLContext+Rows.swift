package import StoreLayout
import SQLiteAccess
import StoreModel

// Sub-selects over what is not a table: lists, the results of UNION and its like.

extension SQLContext {
  /// Opens a sub-select over the rows of another: `FROM (SELECT … AS value …) t1`.
  ///
  /// - Parameters:
  ///   - rows: a SELECT whose only column is called `value`.
  ///   - isSorted: the values are in ascending order.
  /// - Returns: the value of a row.
  mutating func open(rows: SQL, isSorted: Bool = false) -> SQL {
    let alias = nextAlias()
    let value = SQL.name(alias, Self.valueColumn)
    scopes.append(
      Scope(from: "(\(rows)) \(name: alias)", aliases: [alias], order: isSorted ? [value] : []))
    return value
  }

  static let valueColumn = "value"

  /// What orders the members of the sub-select that is open: empty when they have no order.
  var order: [SQL] { scopes[scopes.count - 1].order }

  /// The row as one of an entity below its own: in the same table, with more columns.
  func narrow(
    _ row: RowReference, to entity: String?
  ) throws(CheckError) -> RowReference {
    guard let entity, entity != row.entity.name else { return row }
    var narrowed = row
    narrowed.entity = try self.entity(named: entity)
    return narrowed
  }

  /// A row that a value is the key of.
  func row(of entity: EntityLayout, key: SQL) -> RowReference {
    RowReference(
      entity: entity, key: key, number: entity.subtree.count == 1 ? .number(entity.number) : nil,
      alias: nil, scope: scopes.count - 1)
  }
}

extension ToManyLayout {
  /// Holds a member's place in an ordered relationship.
  package var orderColumn: String? {
    switch self {
    case .column(let key): key.orderColumn
    case .joinTable(let join): join.orderColumn
    }
  }
}
