package import SQLiteAccess
import StoreDiagnostics
package import StoreLayout
package import StoreModel

/// How rows of one entity are written: which values a row takes, what becomes of each, and the SQL.
///
/// The only place that knows it: `insert`, `batch-insert` and `import` all write through a plan. It
/// is a value, and `explain` prints it.
package struct InsertPlan: Hashable, Sendable {
  /// A value that a row may be given.
  package struct Field: Hashable, Sendable {
    package enum Content: Hashable, Sendable {
      case attribute(AttributeType, isExternal: Bool)
      case toOne(ToOne)
    }

    /// The name in the model; `composite.element` for a part of a composite.
    package var name: String
    package var content: Content
    /// The cell of a packed row that holds it.
    package var cell: Int
    package var isRequired: Bool
    package var validation: Attribute.Validation
    /// What a row gets that has no value for it.
    package var defaultValue: SQLiteValue
  }

  package struct ToOne: Hashable, Sendable {
    package var destination: String
    /// The concrete entities that it may lead to, with their numbers.
    package var entityNumbers: [String: Int64]
    /// The cell of `Z<n>_NAME`, where there is such a column.
    package var entityCell: Int?
    /// By which a record may name the destination; nil when no single attribute is unique.
    package var uniqueKey: UniqueKey?
    /// By which people would describe the destination.
    package var namingAttribute: String?
  }

  /// An attribute whose values no two rows of an entity share.
  package struct UniqueKey: Hashable, Sendable {
    package var attribute: String
    package var type: AttributeType
    package var table: String
    package var column: String
  }

  package let entity: String
  package let entityNumber: Int64
  /// `Z_MAX` is kept on this entity's row of `Z_PRIMARYKEY`.
  package let root: String
  package let rootNumber: Int64
  package let table: String
  package let place: EntityLayout
  package let fields: [Field]
  /// The columns behind the cells of a packed row.
  package let columns: [String]
  /// The primary key is its first parameter, the cells of a packed row are the next ones.
  package let insertion: SQL
  /// Why an attempt to set a property that is not a field must fail.
  package let refused: [String: Refusal]
  /// The properties of each uniqueness constraint.
  package let uniqueness: [UniquenessConstraint]
  let relationships: [RelationshipStep]

  package enum Refusal: Hashable, Sendable {
    case derived, toMany, transient
    /// A composite attribute, whose elements are set one by one.
    case composite(elements: [String])
    /// The property belongs to a sub-entity.
    case ofSubentity(String)
  }

  package struct UniquenessConstraint: Hashable, Sendable {
    package var properties: [String]
    package var columns: [String]

    /// The rows with these values of the columns.
    func isMet(by values: [SQLiteValue]) -> SQL {
      zip(columns, values).map { column, value -> SQL in "\(name: column) = \(value: value)" }
        .joined(" AND ")
    }
  }

  /// - Throws: `InsertPlanError`
  package init(entity name: String, in layout: StoreLayout) throws(InsertPlanError) {
    guard let place = layout.entity(named: name), let entity = layout.model.entity(named: name)
    else {
      throw .unknownEntity(name, known: layout.model.entities.map(\.name))
    }
    guard !place.isAbstract else {
      let kinds = layout.model.subtree(of: entity).filter { !$0.isAbstract }.map(\.name)
      throw .abstractEntity(name, concrete: kinds)
    }
    guard let root = layout.entity(named: place.root) else {
      throw .unknownEntity(place.root, known: layout.model.entities.map(\.name))
    }
    var builder = InsertPlanBuilder(entity: entity, place: place, layout: layout)
    builder.addAttributes()
    builder.addToOnes()
    self.entity = name
    entityNumber = place.number
    self.root = root.name
    rootNumber = root.number
    table = place.table
    self.place = place
    fields = builder.fields
    columns = builder.columns
    insertion = Self.insertion(into: place, columns: builder.columns)
    refused = builder.refused
    uniqueness = builder.uniqueness
    relationships = builder.relationships
  }

  /// `INSERT INTO ZITEM (Z_PK, ZNAME, Z_ENT, Z_OPT) VALUES (?1, ?2, ?3, ?4)`
  ///
  /// A row is new, so its version is 1. The constants stand last and are bound once.
  private static func insertion(into place: EntityLayout, columns: [String]) -> SQL {
    let names = [FixedColumn.primaryKey] + columns + [FixedColumn.entity, FixedColumn.version]
    let values: [SQLiteValue] =
      Array(repeating: .null, count: columns.count + 1) + [.integer(place.number), .integer(1)]
    return """
      INSERT INTO \(name: place.table) (\(names.map(SQL.name).joined(", "))) \
      VALUES (\(values.map(SQL.value).joined(", ")))
      """
  }

  /// The cells of a packed row.
  package var width: Int { columns.count }

  /// What its rows may break as members.
  func memberCountRules(in layout: StoreLayout) -> [MemberCountRule] {
    layout.memberCountRules(over: relationships.map(\.column.column), of: table)
  }

  package func field(named name: String) -> Field? { fields.first { $0.name == name } }
}

extension InsertPlan.Refusal {
  var code: String {
    if case .ofSubentity = self { "value.unknown-property" } else { "value.not-settable" }
  }

  func message(of name: String, entity: String) -> String {
    switch self {
    case .derived: "'\(name)' is derived: the store computes it"
    case .toMany: "'\(name)' is to-many; only attributes and to-one relationships can be set"
    case .transient: "'\(name)' is transient: it has no column in the store"
    case .composite: "'\(name)' of '\(entity)' is made of several values"
    case .ofSubentity(let subentity):
      "'\(entity)' has no property '\(name)', its sub-entity '\(subentity)' has"
    }
  }

  func help(of name: String, entity: String) -> [Remedy] {
    switch self {
    case .derived, .transient: []
    case .toMany: [.request(.link(entity: entity, relationship: name))]
    case .composite(let elements):
      [.text("set each: \(elements.map { "'\($0)'" }.joined(separator: ", "))")]
    case .ofSubentity(let subentity): [.text("name '\(subentity)' instead of '\(entity)'")]
    }
  }
}

extension InsertPlan {
  /// The statement for a record that gives the values of some fields.
  ///
  /// - Parameter fields: the indexes of those that it gives; the others keep what the row has.
  func insertion(on policy: ConflictPolicy, giving fields: [Int]) -> SQL {
    switch policy {
    case .fail: return insertion
    // SQLite says "any conflict" by leaving the columns out.
    case .ignore: return insertion + " ON CONFLICT DO NOTHING"
    case .update:
      let clauses = uniqueness.map { update(on: $0, giving: fields) }
      return insertion + clauses.joined("")
    }
  }

  private func update(on constraint: UniquenessConstraint, giving fields: [Int]) -> SQL {
    let target: SQL = " ON CONFLICT (\(constraint.columns.map(SQL.name).joined(", ")))"
    let given = fields.flatMap(columns(of:)).filter { !constraint.columns.contains($0) }
    guard !given.isEmpty else { return target + " DO NOTHING" }
    let set = given.map { name -> SQL in "\(name: name) = excluded.\(name: name)" }
    let differs = given.map { name -> SQL in
      "\(.name(table, name)) IS NOT excluded.\(name: name)"
    }
    return target + """
       DO UPDATE SET \(set.joined(", ")), \(name: FixedColumn.version) = \
      \(RowVersions.next(of: table)) \
      WHERE \(.name(table, FixedColumn.entity)) = excluded.\(name: FixedColumn.entity) \
      AND (\(differs.joined(" OR ")))
      """
  }

  /// Sets the fields that a record gives in one row, where they differ. Its parameters are the row's key and the cells of a
  /// packed row. Nil when the record only gives the key.
  func update(giving fields: [Int], except key: [String]) -> SQL? {
    let given = fields.filter { !key.contains(self.fields[$0].name) }.flatMap(columns(of:))
    guard !given.isEmpty else { return nil }
    func cell(_ column: String) -> SQL {
      .name("g", "c\(columns.firstIndex(of: column) ?? 0)")
    }
    let set = given.map { column -> SQL in "\(name: column) = \(cell(column))" }
    let differs = given.map { column -> SQL in "\(.name(table, column)) IS NOT \(cell(column))" }
    let cells = columns.indices.map { index -> SQL in "\(value: .null) AS \(name: "c\(index)")" }
    return """
      UPDATE \(name: table) SET \(set.joined(", ")), \
      \(name: FixedColumn.version) = \(RowVersions.next(of: table)) \
      FROM (SELECT \(value: .null) AS k, \(cells.joined(", "))) AS g \
      WHERE \(.name(table, FixedColumn.primaryKey)) = g.k AND (\(differs.joined(" OR ")))
      """
  }

  private func columns(of field: Int) -> [String] {
    let field = fields[field]
    var cells = [field.cell]
    if case .toOne(let toOne) = field.content, let cell = toOne.entityCell { cells.append(cell) }
    return cells.map { columns[$0] }
  }

  /// The rows of other entities of the table that have a record's values; parameters are the cells
  /// of the constraint's fields.
  func entityOfOtherRow(by constraint: UniquenessConstraint, _ values: [SQLiteValue]) -> SQL {
    """
    SELECT \(name: FixedColumn.entity) FROM \(name: table) WHERE \(constraint.isMet(by: values)) \
    AND \(name: FixedColumn.entity) <> \(value: .integer(entityNumber)) LIMIT 1
    """
  }

  /// A record's values of the properties that are fields, in their order.
  func values(
    of properties: [String], row: Int, of rows: PackedRows
  ) -> [(field: Field, value: SQLiteValue)] {
    let cells = rows.cells(ofRow: row)
    return properties.compactMap { name in
      field(named: name).map { ($0, rows.value(of: cells[$0.cell])) }
    }
  }
}

extension Connection {
  /// The name of another entity, a row of which has the values of a constraint; nil where none has.
  func otherOwner(
    of values: [SQLiteValue], by constraint: InsertPlan.UniquenessConstraint, in plan: InsertPlan
  ) throws(DatabaseError) -> String? {
    guard plan.place.sharesTable, values.count == constraint.columns.count,
      !values.contains(.null),
      case .integer(let number)? = try rows(plan.entityOfOtherRow(by: constraint, values)).first?
        .first
    else { return nil }
    return try primaryKeys().first { $0.number == number }?.name
  }
}

extension DatabaseError {
  /// The constraint that SQLite's message names; nil for other failures.
  package func violated(
    among constraints: [InsertPlan.UniquenessConstraint], of table: String
  ) -> InsertPlan.UniquenessConstraint? {
    guard let duplicateColumns else { return nil }
    return constraints.first { constraint in
      duplicateColumns == constraint.columns.map { "\(table).\($0)" }.joined(separator: ", ")
    }
  }
}
