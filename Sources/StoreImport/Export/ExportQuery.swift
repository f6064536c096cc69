package import PredicateSQL
import StoreEngine
package import StoreLayout
import SQLiteAccess
import StoreModel

/// The SELECT that writes all rows of one entity, each with `$entity` and `$id`, its attributes, its
/// to-one relationships as an ID and its to-many relationships as a list of IDs.
package struct ExportQuery {
  private let entity: EntityLayout
  private let layout: StoreLayout
  private let isOfChosen: Bool
  private var selected: [SQL] = []
  private var columns: [ResultColumn] = []

  /// - Parameter entity: its own rows are meant, not those of its sub-entities: every row of a store
  ///   is exported once, as what it is.
  package init(_ entity: EntityLayout, in layout: StoreLayout) {
    self.init(entity, in: layout, isOfChosen: false)
  }

  /// - Parameter isOfChosen: only `ChosenRows`, and of their relationships what leads to some of these.
  init(_ entity: EntityLayout, in layout: StoreLayout, isOfChosen: Bool) {
    self.entity = entity
    self.layout = layout
    self.isOfChosen = isOfChosen
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
    var conditions: [SQL] = []
    if entity.sharesTable {
      conditions.append("\(.name("t0", FixedColumn.entity)) = \(value: .integer(entity.number))")
    }
    if isOfChosen {
      let keys = ChosenRows.keys(in: entity, of: layout)
      conditions.append("\(.name("t0", FixedColumn.primaryKey)) IN (\(keys))")
    }
    if !conditions.isEmpty { sql += " WHERE \(conditions.joined(" AND "))" }
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
      let key = select(reference(toOne))
      var source = ResultColumn.EntitySource.fixed(toOne.destination)
      if let column = toOne.entityColumn { source = .number(select(.name("t0", column))) }
      columns.append(ResultColumn(name: name, source: .objectID(key: key, entity: source)))
    }
  }

  private func reference(_ toOne: ToOneColumn) -> SQL {
    let column = SQL.name("t0", toOne.column)
    guard let condition = isChosen(column, toOne.destination) else { return column }
    return "CASE WHEN \(condition) THEN \(column) END"
  }

  /// Nil where all rows are written.
  private func isChosen(_ key: SQL, _ destination: String) -> SQL? {
    guard isOfChosen, let place = layout.entity(named: destination) else { return nil }
    return "\(key) IN (\(ChosenRows.keys(in: place, of: layout)))"
  }

  private mutating func selectToMany() {
    for (name, toMany) in entity.toMany.sorted(by: { $0.key < $1.key }) {
      let owner = SQL.name("t0", FixedColumn.primaryKey)
      let member = SQL.name(MemberList.alias, FixedColumn.primaryKey)
      let condition = isChosen(member, toMany.destination)
      let index = select(MemberList(toMany, in: layout).sql(of: owner, where: condition))
      columns.append(ResultColumn(name: name, source: .objectIDs(index)))
    }
  }
}
