import PredicateSQL
import StoreEngine
import StoreLayout
import SQLiteAccess

/// The SELECT of one store's rows of an entity, in the order in which they are matched.
struct SideQuery {
  private(set) var query = CompiledQuery(sql: "", columns: [])
  /// The cells of the attributes by which rows are matched; the one of `Z_PK` where it is by object ID.
  private(set) var keyCells: [Int] = []
  /// By property: cells that are equal in both stores where the values are.
  private(set) var comparedCells: [[Int]] = []
  /// Of a property whose value may lie in a file of its own.
  private(set) var largeCells: [Int?] = []
  /// By property: whether its cell lists members without an order, by keys that may be others in the other store.
  private(set) var listsInAnyOrder: [Bool] = []
  private var selected: [SQL] = []
  private let entity: ComparedEntity
  private let place: EntityLayout
  private let layout: StoreLayout
  private let identity: PartnerIdentity
  private let isShown: Bool
  private static let row = "t0"

  /// - Parameter isShown: whether rows are shown, and not only counted: members by object ID are for people.
  init(
    _ entity: ComparedEntity, of side: PartnerIdentity.Side, in plan: ComparisonPlan, isShown: Bool
  ) {
    self.entity = entity
    self.isShown = isShown
    place = side == .old ? entity.old : entity.new
    layout = side == .old ? plan.old : plan.new
    identity = PartnerIdentity(plan: plan, side: side)
    let key = select(.name(Self.row, FixedColumn.primaryKey))
    query.columns.append(
      ResultColumn(name: "id", source: .objectID(key: key, entity: .fixed(place.name))))
    keyCells = keyColumns.isEmpty ? [key] : keyColumns.map { select(.name(Self.row, $0)) }
    for property in entity.properties { select(property, allowsLarge: allowsLarge(property.name)) }
    query.sql = sql
  }

  /// How many cells a row has.
  var width: Int { selected.count }

  private var keyColumns: [String] {
    entity.keyAttributes.compactMap { place.attributes[$0]?.column }
  }

  /// In either store: the one may have its values in rows.
  private func allowsLarge(_ attribute: String) -> Bool {
    [entity.old, entity.new].contains { $0.attributes[attribute]?.allowsExternalStorage == true }
  }

  private var sql: SQL {
    let values = selected.joined(", ")
    let key = SQL.name(FixedColumn.primaryKey)
    let condition: SQL =
      place.sharesTable
      ? " WHERE \(.name(FixedColumn.entity)) = \(value: .integer(place.number))" : ""
    guard !keyColumns.isEmpty else {
      return "SELECT \(values) FROM \(name: place.table) AS t0\(condition) ORDER BY \(key)"
    }
    // Keys alone are sorted, not rows with all their values. The LIMIT keeps SQLite from taking the two SELECTs for one.
    let order = (keyColumns.map { SQL.name($0) } + [key]).joined(", ")
    return """
      SELECT \(values) FROM (SELECT \(key) AS pk FROM \(name: place.table)\(condition) \
      ORDER BY \(order) LIMIT -1) AS k \
      CROSS JOIN \(name: place.table) AS t0 ON \(.name(Self.row, FixedColumn.primaryKey)) = k.pk
      """
  }

  /// The same of one row.
  func sql(ofRow key: Int64) -> SQL {
    """
    SELECT \(selected.joined(", ")) FROM \(name: place.table) AS t0 \
    WHERE \(.name(Self.row, FixedColumn.primaryKey)) = \(value: .integer(key)) \
    AND \(.name(Self.row, FixedColumn.entity)) = \(value: .integer(place.number))
    """
  }

  /// A key that several rows have, with their number; nil where rows are matched by object ID.
  var ambiguityCheck: SQL? {
    guard !keyColumns.isEmpty else { return nil }
    let columns = keyColumns.map { SQL.name($0) }
    var conditions = columns.map { column -> SQL in "\(column) IS NOT NULL" }
    if place.sharesTable {
      conditions.append("\(.name(FixedColumn.entity)) = \(value: .integer(place.number))")
    }
    return """
      SELECT count(*), \(columns.joined(", ")) FROM \(name: place.table) \
      WHERE \(conditions.joined(" AND ")) \
      GROUP BY \(columns.joined(", ")) HAVING count(*) > 1 LIMIT 1
      """
  }

  /// The cell of a value.
  private mutating func select(_ sql: SQL) -> Int {
    selected.append(sql)
    return selected.count - 1
  }

  private mutating func select(_ property: ComparedProperty, allowsLarge: Bool) {
    var large: Int?
    switch property.kind {
    case .attribute:
      guard let attribute = place.attributes[property.name] else { return }
      let cell = select(.name(Self.row, attribute.column))
      comparedCells.append([cell])
      if allowsLarge { large = cell }
      query.columns.append(
        ResultColumn(
          name: property.name, source: .value(cell, attribute.type),
          allowsExternalStorage: attribute.allowsExternalStorage))
    case .toOne: selectToOne(property.name)
    case .toMany: selectToMany(property.name)
    }
    largeCells.append(large)
    listsInAnyOrder.append(isInAnyOrder(property.name))
  }

  private func isInAnyOrder(_ property: String) -> Bool {
    guard let toMany = place.toMany[property] else { return false }
    return !toMany.isOrdered && !identity.isPlain(toMany.destination)
  }

  private mutating func selectToOne(_ name: String) {
    guard let toOne = place.toOne[name] else { return }
    let column = SQL.name(Self.row, toOne.column)
    let key = select(column)
    var cells = [key]
    var source = ResultColumn.EntitySource.fixed(toOne.destination)
    if let entityColumn = toOne.entityColumn {
      let number = select(.name(Self.row, entityColumn))
      cells.append(number)
      source = .number(number)
    }
    query.columns.append(ResultColumn(name: name, source: .objectID(key: key, entity: source)))
    if identity.isPlain(toOne.destination) && !hasOtherCells(name) {
      comparedCells.append(cells)
    } else if identity.isByObjectID(toOne.destination) {
      let number = toOne.entityColumn.map { SQL.name(Self.row, $0) }
      let text = identity.sql(of: toOne.destination, key: column, number: number)
      comparedCells.append([select(text)])
    } else {
      comparedCells.append([select(partner(toOne, column))])
    }
  }

  /// Whether only one of the stores has a column for the entity of the partner.
  private func hasOtherCells(_ name: String) -> Bool {
    (entity.old.toOne[name]?.entityColumn == nil) != (entity.new.toOne[name]?.entityColumn == nil)
  }

  /// What stands for the partner of a to-one relationship; a key that no row has stands for itself.
  private func partner(_ toOne: ToOneColumn, _ column: SQL) -> SQL {
    guard let table = layout.entity(named: toOne.destination)?.table else { return column }
    let alias = MemberList.alias
    return """
      ifnull((SELECT \(identity.sql(of: toOne.destination, alias: alias)) \
      FROM \(name: table) AS m WHERE \(.name(alias, FixedColumn.primaryKey)) = \(column)), \
      '?' || \(column))
      """
  }

  private mutating func selectToMany(_ name: String) {
    guard let toMany = place.toMany[name] else { return }
    let members = MemberList(toMany, in: layout)
    let owner = SQL.name(Self.row, FixedColumn.primaryKey)
    let isPlain = identity.isPlain(toMany.destination)
    if isPlain || isShown {
      let cell = select(members.sql(of: owner))
      query.columns.append(ResultColumn(name: name, source: .objectIDs(cell)))
      if isPlain { comparedCells.append([cell]) }
    }
    guard !isPlain else { return }
    let text = identity.sql(of: toMany.destination, alias: MemberList.alias)
    comparedCells.append([select(members.sql(of: owner, identity: text))])
  }
}
