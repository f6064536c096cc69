import SQLiteAccess
import StoreModel
import StoreLayout

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
    let equal = zip(constraint.columns, values).map { column, value -> SQL in
      "\(name: column) = \(value: value)"
    }
    return """
      SELECT \(name: FixedColumn.entity) FROM \(name: table) WHERE \(equal.joined(" AND ")) \
      AND \(name: FixedColumn.entity) <> \(value: .integer(entityNumber)) LIMIT 1
      """
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
