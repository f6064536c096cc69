import SQLiteAccess
import StoreModel
import StoreDiagnostics

/// A many-to-many relationship and its inverse. The join table is named after `entity` and `relationship`.
private struct Pair {
  var entity: EntityDescription
  var relationship: RelationshipDescription
  var inverseOwner: EntityDescription
  var inverse: RelationshipDescription
}

extension LayoutBuilder {
  /// Adds the join tables of root entities, then of subentities. The join tables of an entity are added in the order of
  /// their relationships' names, which is an arbitrary choice. The order determines the numbers that are added to equal
  /// column names.
  mutating func placeJoinTables() {
    let entities = numbering.numbered.map(\.entity)
    for entity in entities.filter({ $0.parent == nil }) + entities.filter({ $0.parent != nil }) {
      for relationship in entity.relationships
      where relationship.isToMany && !relationship.isTransient {
        guard let (inverse, owner) = model.sharedInverse(of: relationship, declaredBy: entity),
          inverse.isToMany
        else { continue }
        if owner.name == entity.name, inverse.name == relationship.name {
          placeSelfInverse(relationship, of: entity)
        } else if let pair = namingPair(entity, relationship, owner, inverse) {
          placeJoinTable(pair)
        }
      }
    }
  }

  /// Returns the relationship and its inverse if the join table is named after `entity`, otherwise nil.
  private mutating func namingPair(
    _ entity: EntityDescription, _ relationship: RelationshipDescription,
    _ owner: EntityDescription, _ inverse: RelationshipDescription
  ) -> Pair? {
    let pair = Pair(
      entity: entity, relationship: relationship, inverseOwner: owner, inverse: inverse)
    guard owner.name == entity.name else { return isFirst(entity, before: owner) ? pair : nil }
    // If both relationships belong to one entity, it is unknown which of them names the table. The table's name in the
    // store is used or, for a new store, the later name in alphabetical order.
    let number = numbering.number(of: entity)
    let (own, other) = (
      tableName(number, relationship), tableName(number, inverse)
    )
    if let schema, schema.hasTable(own) != schema.hasTable(other) {
      return schema.hasTable(own) ? pair : nil
    }
    guard inverse.name.precedes(relationship.name) else { return nil }
    guard schema == nil else { return pair }
    risks.append(
      "the join table of '\(entity.name).\(relationship.name)' and '\(inverse.name)' is named"
        + " \(own); Core Data may expect \(other)")
    return pair
  }

  /// Returns whether Core Data names the join table of two entities after `entity`. If only one of them has
  /// subentities, the table is named after it, otherwise after the entity with the lower number
  /// (docs/formats/store-layout.md, "Relationships").
  private func isFirst(_ entity: EntityDescription, before other: EntityDescription) -> Bool {
    let hasSubentities = model.hasSubentities(entity)
    guard hasSubentities == model.hasSubentities(other) else { return hasSubentities }
    return numbering.number(of: entity) < numbering.number(of: other)
  }

  private mutating func placeJoinTable(_ pair: Pair) {
    let (number, otherNumber) = (
      numbering.number(of: pair.entity), numbering.number(of: pair.inverseOwner)
    )
    let usual = tableName(number, pair.relationship)
    // A column with the name of a relationship contains its destinations.
    let backBase = "Z_\(number)\(pair.inverse.name.uppercased())"
    let forthBase = "Z_\(otherNumber)\(pair.relationship.name.uppercased())"
    let other = storedTable(
      besides: usual, tableName(otherNumber, pair.inverse), columns: [backBase, forthBase])
    let table = tablePool.claim(other ?? usual)
    let back = joinColumn(backBase, in: table)
    let forth = joinColumn(forthBase, in: table)
    let backOrder = pair.inverse.isOrdered ? orderColumn(of: back, in: table) : nil
    let forthOrder = pair.relationship.isOrdered ? orderColumn(of: forth, in: table) : nil
    addJoinTable(
      table, usually: other == nil ? table : usual, keys: [back, forth],
      orders: [backOrder, forthOrder])
    toMany[PropertyKey(pair.entity.name, pair.relationship.name)] = .joinTable(
      .init(
        destination: pair.relationship.destination, table: table, sourceColumn: back,
        destinationColumn: forth, orderColumn: forthOrder))
    toMany[PropertyKey(pair.inverseOwner.name, pair.inverse.name)] = .joinTable(
      .init(
        destination: pair.inverse.destination, table: table, sourceColumn: forth,
        destinationColumn: back, orderColumn: backOrder))
  }

  /// Returns the name of the join table in a store that doesn't have a table with the usual name, or nil. The table is
  /// named after the inverse, or it is the only table with both columns whose name doesn't belong to a relationship of
  /// the model.
  private func storedTable(
    besides usual: String, _ reversed: String, columns: [String]
  ) -> String? {
    guard let schema, !schema.hasTable(usual) else { return nil }
    func has(_ column: String, _ table: DatabaseSchema.Table) -> Bool {
      table.columnNames.contains { $0.isName(column) }
    }
    if let table = schema.database.tables[reversed],
      columns.allSatisfy({ has($0, table) })
    {
      return reversed
    }
    let named = Set(
      numbering.numbered.flatMap { entity, number in
        entity.relationships.map { tableName(number, $0) }
      })
    let found = schema.database.tables.values.filter { table in
      StoredName.join(table.name) != nil && !named.contains(table.name)
        && columns.allSatisfy(table.hasColumn)
    }
    return found.count == 1 ? found[0].name : nil
  }

  /// Adds the join table of a to-many that is its own inverse. The second column has the same name in all such tables.
  private mutating func placeSelfInverse(
    _ relationship: RelationshipDescription, of entity: EntityDescription
  ) {
    let number = numbering.number(of: entity)
    let table = tablePool.claim(tableName(number, relationship))
    let forth = joinColumn("Z_\(number)\(relationship.name.uppercased())", in: table)
    let back = StoredName.reflexive
    let order = relationship.isOrdered ? orderColumn(of: forth, in: table) : nil
    addJoinTable(table, usually: table, keys: [forth, back], orders: [order])
    toMany[PropertyKey(entity.name, relationship.name)] = .joinTable(
      .init(
        destination: relationship.destination, table: table, sourceColumn: back,
        destinationColumn: forth, orderColumn: order))
  }

  private func tableName(_ number: Int64, _ relationship: RelationshipDescription) -> String {
    "Z_\(number)\(relationship.name.uppercased())"
  }

  private mutating func joinColumn(_ base: String, in table: String) -> String {
    let existing = schema?.database.tables[table]?.columnNames.filter { $0.isName(base) } ?? []
    // The column's name in the store is used, because the numbers of colliding columns can be in another order there.
    if let found = existing.contains(base) ? base : existing.first { return found }
    let column = joinColumnPool.claim(base)
    if column != base, schema == nil {
      risks.append(
        "the join table \(table) has the column \(column); Core Data can use the numbers of"
          + " colliding columns in another order")
    }
    return column
  }

  private mutating func orderColumn(of column: String, in table: String) -> String? {
    let name = FixedColumn.order(beside: column)
    return isStored(name, beside: column, in: table) ? name : nil
  }

  private mutating func addJoinTable(
    _ table: String, usually usualName: String, keys: [String], orders: [String?]
  ) {
    let names = keys + orders.compactMap { $0 }
    joinTables.append(
      JoinTableLayout(
        name: table, usualName: usualName,
        columns: names.map {
          ColumnLayout(name: $0, declaredType: DeclaredType.integer.rawValue)
        },
        primaryKey: keys,
        index: JoinTableLayout.index(of: table, keys: keys)))
  }
}
