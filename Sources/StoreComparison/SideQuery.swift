import PredicateSQL
import SQLiteAccess
import StoreEngine
import StoreLayout

/// The SELECT statement for the rows of an entity in one store, sorted by the attributes by which rows are matched, or
/// by `Z_PK`. A cell is the index of a result column.
struct SideQuery {
  private(set) var query = CompiledQuery(sql: "", columns: [])
  /// The cells of the attributes by which rows are matched, or the cell of `Z_PK` if rows are matched by object ID.
  private(set) var keyCells: [Int] = []
  /// For each property, the cells that are compared with the cells of the other store.
  private(set) var comparedCells: [[Int]] = []
  /// For each property, its cell if the value may be in an external file; otherwise nil.
  private(set) var largeCells: [Int?] = []
  /// For each property, whether its cell is a list of members whose order may differ between the stores.
  private(set) var listsInAnyOrder: [Bool] = []
  private var selected: [SQL] = []
  private let entity: ComparedEntity
  private let place: EntityLayout
  private let layout: StoreLayout
  private let identity: PartnerIdentity
  private let isShown: Bool
  private static let row = "t0"

  /// - Parameter isShown: whether rows are displayed and not only counted. The object IDs of members that are compared
  ///   by other values are only selected for display.
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

  /// The number of cells of a row.
  var width: Int { selected.count }

  private var keyColumns: [String] {
    entity.keyAttributes.compactMap { place.attributes[$0]?.column }
  }

  /// Whether at least one of the stores allows external files for the attribute's values.
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
    // This sorts only keys, not complete rows. The LIMIT prevents SQLite from flattening the subquery.
    let order = (keyColumns.map { SQL.name($0) } + [key]).joined(", ")
    return """
      SELECT \(values) FROM (SELECT \(key) AS pk FROM \(name: place.table)\(condition) \
      ORDER BY \(order) LIMIT -1) AS k \
      CROSS JOIN \(name: place.table) AS t0 ON \(.name(Self.row, FixedColumn.primaryKey)) = k.pk
      """
  }

  /// Returns a statement with the same result columns for the row with this primary key.
  func sql(ofRow key: Int64) -> SQL {
    """
    SELECT \(selected.joined(", ")) FROM \(name: place.table) AS t0 \
    WHERE \(.name(Self.row, FixedColumn.primaryKey)) = \(value: .integer(key)) \
    AND \(.name(Self.row, FixedColumn.entity)) = \(value: .integer(place.number))
    """
  }

  /// A SELECT of the number of rows that share one key, and the key's values; nil if rows are matched by object ID. It
  /// returns no rows if all keys are unique.
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

  /// Adds an expression to the results, and returns its cell.
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

  /// Whether only one of the stores has a column for the entity of the destination.
  private func hasOtherCells(_ name: String) -> Bool {
    (entity.old.toOne[name]?.entityColumn == nil) != (entity.new.toOne[name]?.entityColumn == nil)
  }

  /// Returns an expression for the identity of a to-one relationship's destination. If the row doesn't exist, the
  /// identity is `?` and the key.
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

/// Expressions for the identity of a relationship's destination as text. Equal texts in both stores identify the same
/// row.
struct PartnerIdentity {
  enum Side: Hashable {
    case old, new
  }

  let plan: ComparisonPlan
  let side: Side

  private var layout: StoreLayout { side == .old ? plan.old : plan.new }

  /// Whether entity numbers and keys identify the same rows in both stores, so that they can be compared directly.
  func isPlain(_ destination: String) -> Bool {
    let sides = [plan.old, plan.new].map { layout in
      let names = layout.concreteEntities(below: destination).map { ($0.number, $0.name) }
      return Dictionary(names) { first, _ in first }
    }
    return sides[0] == sides[1] && sides[0].values.allSatisfy { plan.matching(of: $0) == .objectID }
  }

  /// Whether the destinations of a relationship are matched only by object ID.
  func isByObjectID(_ destination: String) -> Bool {
    [plan.old, plan.new].flatMap { $0.concreteEntities(below: destination) }
      .allSatisfy { plan.matching(of: $0.name) == .objectID }
  }

  /// Returns an expression for the identity of a row that is matched by object ID: its entity's name, `#` and its key.
  /// The expression doesn't read the row.
  ///
  /// - Parameter number: an expression for the row's entity number; nil if all destinations have the same entity.
  func sql(of destination: String, key: SQL, number: SQL?) -> SQL {
    guard let number else {
      let first = layout.concreteEntities(below: destination).first
      return "\(value: .text("\(first?.name ?? destination)#")) || \(key)"
    }
    let unknown: SQL = "'?' || ifnull(\(number), '') || ':'"
    let name = choice(of: destination, by: number, else: unknown) { entity in
      "\(value: .text("\(entity.name)#"))"
    }
    return "\(name) || \(key)"
  }

  private func choice(
    of destination: String, by number: SQL, else unknown: SQL, _ result: (EntityLayout) -> SQL
  ) -> SQL {
    let cases = layout.concreteEntities(below: destination).map { entity -> SQL in
      " WHEN \(value: .integer(entity.number)) THEN \(result(entity))"
    }
    return cases.isEmpty ? unknown : "CASE \(number)\(cases.joined("")) ELSE \(unknown) END"
  }

  /// Returns an expression for the identity of a row in an entity's table, such as
  /// `CASE m.Z_ENT WHEN 4 THEN 'Item#' || m.Z_PK WHEN 5 THEN 'List:' || … END`.
  func sql(of destination: String, alias: String) -> SQL {
    let number = SQL.name(alias, FixedColumn.entity)
    let key = SQL.name(alias, FixedColumn.primaryKey)
    let unknown: SQL = "'?' || ifnull(\(number), '') || ':' || \(key)"
    return choice(of: destination, by: number, else: unknown) { identity(of: $0, alias, key) }
  }

  private func identity(of entity: EntityLayout, _ alias: String, _ key: SQL) -> SQL {
    guard case .key(let attributes)? = plan.matching(of: entity.name) else {
      return "\(value: .text("\(entity.name)#")) || \(key)"
    }
    let columns = attributes.compactMap { entity.attributes[$0]?.column }
      .map { SQL.name(alias, $0) }
    let isAbsent = columns.map { column -> SQL in "\(column) IS NULL" }
    let texts = columns.map(Self.text)
    // A row without a key doesn't match any row of the other store.
    let alone = "\(entity.name) of the \(side == .old ? "older" : "newer") store#"
    return """
      CASE WHEN \(isAbsent.joined(" OR ")) THEN \(value: .text(alone)) || \(key) \
      ELSE \(value: .text("\(entity.name):")) || \(texts.joined(" || '+' || ")) END
      """
  }

  /// Returns an expression for a value as text without commas, because commas separate the members of a list.
  private static func text(of column: SQL) -> SQL {
    """
    CASE typeof(\(column)) WHEN 'text' THEN 't' || hex(\(column)) \
    WHEN 'blob' THEN 'b' || hex(\(column)) ELSE quote(\(column)) END
    """
  }
}
