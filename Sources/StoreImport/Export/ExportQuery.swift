package import PredicateSQL
package import StoreLayout
import StoreSQL
import StoreModel

/// The SELECT that writes all rows of one entity, each with `$entity` and `$id`, its attributes, its
/// to-one relationships as an ID and its to-many relationships as a list of IDs.
package struct ExportQuery {
  private let entity: EntityLayout
  private let layout: StoreLayout
  private var selected: [SQL] = []
  private var columns: [ResultColumn] = []

  /// - Parameter entity: its own rows are meant, not those of its sub-entities: every row of a store
  ///   is exported once, as what it is.
  package init(_ entity: EntityLayout, in layout: StoreLayout) {
    self.entity = entity
    self.layout = layout
  }

  /// Compiles the query.
  package func compiled() -> CompiledQuery {
    var copy = self
    copy.selectIdentity()
    copy.selectAttributes()
    copy.selectToOne()
    copy.selectToMany()
    var sql: SQL = """
      SELECT \(copy.selected.joined(", ")) FROM \(name: entity.table) AS t0
      """
    if entity.sharesTable {
      sql += " WHERE \(.name("t0", FixedColumn.entity)) = \(value: .integer(entity.number))"
    }
    sql += " ORDER BY \(.name("t0", FixedColumn.primaryKey))"
    return CompiledQuery(sql: sql, columns: copy.columns)
  }

  /// Adds to the SELECT; returns the column's index.
  private mutating func select(_ sql: SQL) -> Int {
    selected.append(sql)
    return selected.count - 1
  }

  private mutating func selectIdentity() {
    let name = select(.value(.text(entity.name)))
    columns.append(ResultColumn(name: "$entity", source: .value(name, .string)))
    let key = select(.name("t0", FixedColumn.primaryKey))
    columns.append(
      ResultColumn(name: "$id", source: .objectID(key: key, entity: .fixed(entity.name))))
  }

  private mutating func selectAttributes() {
    for (name, attribute) in entity.attributes.sorted(by: { $0.key < $1.key }) {
      let index = select(.name("t0", attribute.column))
      columns.append(
        ResultColumn(
          name: name, source: .value(index, attribute.type),
          allowsExternalStorage: attribute.allowsExternalStorage))
    }
  }

  private mutating func selectToOne() {
    for (name, toOne) in entity.toOne.sorted(by: { $0.key < $1.key }) {
      let key = select(.name("t0", toOne.column))
      var source = ResultColumn.EntitySource.fixed(toOne.destination)
      if let column = toOne.entityColumn { source = .number(select(.name("t0", column))) }
      columns.append(ResultColumn(name: name, source: .objectID(key: key, entity: source)))
    }
  }

  private mutating func selectToMany() {
    for (name, toMany) in entity.toMany.sorted(by: { $0.key < $1.key }) {
      let index = select(members(of: toMany))
      columns.append(ResultColumn(name: name, source: .objectIDs(index)))
    }
  }

  /// The members as one text, `Z_ENT:Z_PK` for each: `4:7,4:9`.
  private func members(of toMany: ToManyLayout) -> SQL {
    let identity: SQL = """
      \(.name("m", FixedColumn.entity)) || ':' || \(.name("m", FixedColumn.primaryKey))
      """
    let members: SQL
    switch toMany {
    case .column(let key):
      members = """
        SELECT \(identity) AS id FROM \(name: key.table) AS m \
        WHERE \(.name("m", key.column)) = \(.name("t0", FixedColumn.primaryKey)) \
        ORDER BY \(order("m", key.orderColumn))\(.name("m", FixedColumn.primaryKey))
        """
    case .joinTable(let join):
      guard let table = layout.entity(named: join.destination)?.table else { return "NULL" }
      members = """
        SELECT \(identity) AS id FROM \(name: join.table) AS j \
        JOIN \(name: table) AS m ON \(.name("m", FixedColumn.primaryKey)) = \
        \(.name("j", join.destinationColumn)) \
        WHERE \(.name("j", join.sourceColumn)) = \(.name("t0", FixedColumn.primaryKey)) \
        ORDER BY \(order("j", join.orderColumn))\(.name("m", FixedColumn.primaryKey))
        """
    }
    // SQLite feeds the rows to group_concat in the order of the inner SELECT.
    return "(SELECT group_concat(id) FROM (\(members)))"
  }

  private func order(_ alias: String, _ column: String?) -> SQL {
    guard let column else { return "" }
    return "\(.name(alias, column)), "
  }
}
