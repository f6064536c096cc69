import StoreCore
import PredicateSQL
import SQLiteAccess
import StoreLayout
import StoreModel

/// Links the rows of an edit to their owner, or unlinks them, on both sides, and records the changes in the history.
///
/// Core Data treats all rows whose relationships change as changed, including rows without a column for the
/// relationship.
struct MemberLinks {
  let edit: MemberEdit
  let changes: ChangeRecorder

  private var edited: EditedRelationship { edit.edited }
  private var connection: Connection { edit.connection }

  /// Links the rows of the edit to the owner. Positions are set afterwards.
  ///
  /// - Returns: the number of added rows.
  func add() throws -> Int {
    switch edited.members {
    case .column(let foreign): try claim(foreign)
    case .joinTable(let join): try pair(join)
    }
  }

  /// Unlinks the rows of the edit, all of which must be members.
  ///
  /// - Throws: `UpdateError` if a member requires an owner.
  func remove() throws -> Int {
    switch edited.members {
    case .column(let foreign): try release(foreign)
    case .joinTable(let join): try part(join)
    }
  }

  /// Records that the owner's members have changed, and increments the owner's version.
  func touchOwner() throws(DatabaseError) {
    try touch(
      "\(name: FixedColumn.primaryKey) = \(edited.key)", in: edited.ownerPlace.table,
      edited.relationship.name)
  }

  private func touch(
    _ condition: SQL, in table: String, _ property: String
  ) throws(DatabaseError) {
    try changes.recordUpdates(
      of: .entitiesAndKeys(of: table, where: condition), properties: [property])
    try connection.run("UPDATE \(name: table) SET \(RowVersions.raising) WHERE \(condition)")
  }

  private func isEdited(_ column: String = FixedColumn.primaryKey) -> SQL {
    "\(name: column) IN (\(edit.keys))"
  }

  // MARK: A column of the members

  private func claim(_ foreign: ToManyLayout.ForeignKey) throws(DatabaseError) -> Int {
    let former: SQL = """
      \(name: FixedColumn.primaryKey) IN (SELECT \(name: foreign.column) \
      FROM \(name: foreign.table) WHERE \(isEdited()))
      """
    try touch(former, in: edited.ownerPlace.table, edited.relationship.name)
    var values: [SQL] = ["\(name: foreign.column) = \(edited.key)"]
    if let column = foreign.entityColumn {
      values.append("\(name: column) = \(.number(edited.ownerPlace.number))")
    }
    return try set(values, in: foreign)
  }

  private func release(_ foreign: ToManyLayout.ForeignKey) throws -> Int {
    let columns = [foreign.column, foreign.entityColumn].compactMap(\.self)
    let count = try set(columns.map { "\(name: $0) = NULL" }, in: foreign)
    if let inverse = edited.inverse, !inverse.isOptional, count > 0 {
      throw UpdateError.lostPartner(property: inverse.name, count: count)
    }
    return count
  }

  private func set(
    _ values: [SQL], in foreign: ToManyLayout.ForeignKey
  ) throws(DatabaseError) -> Int {
    try touchOwner()
    // Without an inverse, the column isn't a property of the row.
    if let inverse = edited.inverse {
      try changes.recordUpdates(
        of: .entitiesAndKeys(of: foreign.table, where: isEdited()), properties: [inverse.name])
    }
    let place: [SQL] = foreign.orderColumn.map { ["\(name: $0) = NULL"] } ?? []
    return try connection.run(
      """
      UPDATE \(name: foreign.table) SET \((values + place).joined(", ")), \(RowVersions.raising) \
      WHERE \(isEdited())
      """)
  }

  // MARK: A join table

  private func pair(_ join: ToManyLayout.Join) throws(DatabaseError) -> Int {
    try touchBoth()
    let columns: SQL = "(\(name: join.sourceColumn), \(name: join.destinationColumn))"
    let count = try connection.run(
      "INSERT INTO \(name: join.table) \(columns) SELECT \(edited.key), k FROM temp.\(name: MemberEdit.table)"
    )
    if edited.isOwnInverse {
      try connection.run(
        """
        INSERT OR IGNORE INTO \(name: join.table) \(columns) \
        SELECT k, \(edited.key) FROM temp.\(name: MemberEdit.table)
        """)
    }
    if let reversed = edited.reversed, let order = reversed.orderColumn {
      try placeOwner(in: reversed, order)
    }
    return count
  }

  private func part(_ join: ToManyLayout.Join) throws(DatabaseError) -> Int {
    try touchBoth()
    let count = try connection.run(
      """
      DELETE FROM \(name: join.table) WHERE \(name: join.sourceColumn) = \(edited.key) \
      AND \(isEdited(join.destinationColumn))
      """)
    if edited.isOwnInverse {
      try connection.run(
        """
        DELETE FROM \(name: join.table) WHERE \(name: join.destinationColumn) = \(edited.key) \
        AND \(isEdited(join.sourceColumn))
        """)
    }
    return count
  }

  private func touchBoth() throws(DatabaseError) {
    try touchOwner()
    guard let inverse = edited.inverse else { return }
    let table = edited.destination.table
    try changes.recordUpdates(
      of: .entitiesAndKeys(of: table, where: isEdited()), properties: [inverse.name])
    // The version of an owner that is its own member is already incremented.
    let others: SQL =
      table == edited.ownerPlace.table
      ? " AND \(name: FixedColumn.primaryKey) <> \(edited.key)" : ""
    try connection.run(
      "UPDATE \(name: table) SET \(RowVersions.raising) WHERE \(isEdited())\(others)")
  }

  /// Sets the owner's position in an ordered inverse: after the other owners of each member.
  private func placeOwner(
    in reversed: ToManyLayout.Join, _ order: String
  ) throws(DatabaseError) {
    let last: SQL = """
      (SELECT \(OrderPlaces.last(.name("o", order))) FROM \(name: reversed.table) AS o \
      WHERE o.\(name: reversed.sourceColumn) = \(.name(reversed.table, reversed.sourceColumn)))
      """
    try connection.run(
      """
      UPDATE \(name: reversed.table) SET \(name: order) = \(OrderPlaces.place(ofNext: "1", behind: last)) \
      WHERE \(isEdited(reversed.sourceColumn)) AND \(name: reversed.destinationColumn) = \(edited.key) \
      AND \(name: order) IS NULL
      """)
  }
}
