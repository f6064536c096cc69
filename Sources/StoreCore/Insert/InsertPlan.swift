package import SQLiteAccess
import StoreDiagnostics
package import StoreLayout
package import StoreModel

/// How rows of an entity are written: the values of a row, their columns, and the SQL.
///
/// `insert`, `batch-insert` and `import` all write through a plan, which `explain` prints.
package struct InsertPlan: Hashable, Sendable {
  /// A value that can be set in a row.
  package struct Field: Hashable, Sendable {
    package enum Content: Hashable, Sendable {
      case attribute(AttributeType, isExternal: Bool)
      case toOne(ToOne)
    }

    /// The name in the model, or `composite.element` for an element of a composite.
    package var name: String
    package var content: Content
    /// The index of the cell in a packed row.
    package var cell: Int
    package var isRequired: Bool
    package var validation: AttributeDescription.Validation
    /// The stored value if a record doesn't contain the field.
    package var defaultValue: SQLiteValue
  }

  package struct ToOne: Hashable, Sendable {
    package var destination: String
    /// The numbers of the concrete destination entities, by name.
    package var entityNumbers: [String: Int64]
    /// The index of the cell for the column with the destination's entity number. Nil if that column doesn't exist.
    package var entityCell: Int?
    /// The attribute that identifies the destination in a record, or nil if no single attribute is unique.
    package var uniqueKey: UniqueKey?
    /// The attribute that describes the destination in suggestions of error messages, such as its name.
    package var namingAttribute: String?

    /// The error for a value that doesn't identify a destination.
    var noObjectID: ValueError { .noObjectID(describedBy: namingAttribute, entity: destination) }
  }

  /// An attribute whose values are unique among the rows of an entity.
  package struct UniqueKey: Hashable, Sendable {
    package var attribute: String
    package var type: AttributeType
    package var table: String
    package var column: String
  }

  package let entity: String
  package var entityNumber: Int64 { place.number }
  /// The root entity, whose row in `Z_PRIMARYKEY` contains the highest key of the hierarchy.
  package let root: String
  package let rootNumber: Int64
  package var table: String { place.table }
  package let place: EntityLayout
  package let fields: [Field]
  /// The names of the columns, in the order of the cells in a packed row.
  package let columns: [String]
  /// The INSERT statement. The primary key is its first parameter, and the cells of a packed row follow.
  package let insertion: SQL
  /// The reasons why other properties can't be set, by the name of the property.
  package let refused: [String: Refusal]
  /// The uniqueness constraints that the entity declares or inherits.
  package let uniqueness: [UniquenessConstraint]
  let relationships: [RelationshipStep]

  package enum Refusal: Hashable, Sendable {
    case derived, toMany, transient
    /// A composite attribute, whose elements are set separately.
    case composite(elements: [String])
    /// A property of a subentity.
    case ofSubentity(String)
    case fetched
  }

  package struct UniquenessConstraint: Hashable, Sendable {
    package var properties: [String]
    package var columns: [String]

    /// Returns the condition for rows with these values in the columns.
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
    self.root = root.name
    rootNumber = root.number
    self.place = place
    fields = builder.fields
    columns = builder.columns
    insertion = Self.insertion(into: place, columns: builder.columns)
    refused = builder.refused
    uniqueness = builder.uniqueness
    relationships = builder.relationships
  }

  /// Returns a statement such as `INSERT INTO ZITEM (Z_PK, ZNAME, Z_ENT, Z_OPT) VALUES (?1, ?2, ?3, ?4)`.
  ///
  /// The version of a new row is 1. The entity number and the version are last, because their values are bound once for
  /// all rows.
  private static func insertion(into place: EntityLayout, columns: [String]) -> SQL {
    let names = [FixedColumn.primaryKey] + columns + [FixedColumn.entity, FixedColumn.version]
    let values: [SQLiteValue] =
      Array(repeating: .null, count: columns.count + 1) + [.integer(place.number), .integer(1)]
    return """
      INSERT INTO \(name: place.table) (\(names.map(SQL.name).joined(", "))) \
      VALUES (\(values.map(SQL.value).joined(", ")))
      """
  }

  /// The number of cells in a packed row.
  package var width: Int { columns.count }

  /// Returns the limits for numbers of members that can be violated when rows of this entity become members.
  func memberCountRules(in layout: StoreLayout) -> [MemberCountRule] {
    layout.memberCountRules(over: relationships.map(\.column.column), of: table)
  }

  package func field(named name: String) -> Field? { fields.first { $0.name == name } }
}

extension InsertPlan.Refusal {
  var cause: DiagnosticMessage.Cause {
    switch self {
    case .ofSubentity, .fetched: .notFound
    case .derived, .toMany, .transient, .composite: .invalid
    }
  }

  var code: String { cause == .notFound ? "value.unknown-property" : "value.not-settable" }

  func message(of name: String, entity: String) -> String {
    switch self {
    case .derived: "'\(name)' is derived: the store computes it"
    case .toMany: "'\(name)' is to-many; only attributes and to-one relationships can be set"
    case .transient: "'\(name)' is transient, so the store doesn't have a column for it"
    case .composite: "'\(name)' of '\(entity)' consists of several values"
    case .fetched: "'\(name)' is a fetched property, so it can't be set"
    case .ofSubentity(let subentity):
      "'\(name)' is a property of the subentity '\(subentity)', not of '\(entity)'"
    }
  }

  func help(of name: String, entity: String) -> [DiagnosticRemedy] {
    switch self {
    case .derived, .transient, .fetched: []
    case .toMany: [.request(.link(entity: entity, relationship: name))]
    case .composite(let elements):
      [.text("set each: \(elements.map { "'\($0)'" }.joined(separator: ", "))")]
    case .ofSubentity(let subentity): [.text("use '\(subentity)' instead of '\(entity)'")]
    }
  }
}

extension InsertPlan {
  /// Returns the INSERT for a record, including its behavior for conflicts.
  ///
  /// - Parameter fields: the indices of the fields that the record contains. The other fields of an existing row remain
  ///   unchanged.
  func insertion(on policy: ConflictPolicy, giving fields: [Int]) -> SQL {
    switch policy {
    case .fail: return insertion
    // Without a list of columns, the clause applies to all uniqueness constraints.
    case .ignore: return insertion + " ON CONFLICT DO NOTHING"
    case .update:
      let clauses = uniqueness.map { update(on: $0, giving: fields) }
      return insertion + clauses.joined("")
    }
  }

  private func update(on constraint: UniquenessConstraint, giving fields: [Int]) -> SQL {
    let target: SQL = " ON CONFLICT (\(constraint.columns.map(SQL.name).joined(", ")))"
    let given = fields.flatMap { columns(of: self.fields[$0]) }
      .filter { !constraint.columns.contains($0) }
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

  /// Returns the statement that sets the fields of a record in a row, if they differ. Its parameters are the row's
  /// primary key and the cells of a packed row. Nil if the record contains only attributes of `key`.
  func update(giving fields: [Int], except key: [String]) -> SQL? {
    let given = fields.map { self.fields[$0] }.filter { !key.contains($0.name) }
      .flatMap(columns(of:))
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

  func columns(of field: Field) -> [String] {
    var cells = [field.cell]
    if case .toOne(let toOne) = field.content, let cell = toOne.entityCell { cells.append(cell) }
    return cells.map { columns[$0] }
  }

  /// Returns a SELECT of the entity number of a row that has the values of a constraint but belongs to another entity
  /// in the same table.
  func entityOfOtherRow(by constraint: UniquenessConstraint, _ values: [SQLiteValue]) -> SQL {
    """
    SELECT \(name: FixedColumn.entity) FROM \(name: table) WHERE \(constraint.isMet(by: values)) \
    AND \(name: FixedColumn.entity) <> \(value: .integer(entityNumber)) LIMIT 1
    """
  }

  /// Returns a record's values of the given properties, in the order of the properties.
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
  /// Returns the name of another entity that has a row with the values of a constraint, or nil.
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
  /// Returns the constraint whose columns SQLite's message contains, or nil for an error that isn't a violation of one.
  package func violated(
    among constraints: [InsertPlan.UniquenessConstraint], of table: String
  ) -> InsertPlan.UniquenessConstraint? {
    guard let duplicateColumns else { return nil }
    return constraints.first { constraint in
      duplicateColumns == constraint.columns.map { "\(table).\($0)" }.joined(separator: ", ")
    }
  }
}
