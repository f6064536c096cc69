/// What is left to do for a to-one relationship when all rows are in: whole-table SQL, whatever the
/// number of rows.
package struct RelationshipStep: Hashable, Sendable {
  var property: String
  var table: String
  /// Nil when the table holds no other entity's rows.
  var entityNumber: Int64?
  var column: ToOneColumn
  var destinationTable: String
  /// The entities that the relationship may lead to.
  var destinationNumbers: [Int64]
  var ownNumber: Int64
  /// The to-one on the other side of a one-to-one relationship.
  var partner: ToOneColumn?

  /// The new rows among those of the table `t`.
  private func isNew(after key: Int64) -> SQL {
    let newer: SQL = "t.\(name: FixedColumn.primaryKey) > \(value: .integer(key))"
    guard let entityNumber else { return newer }
    return newer + " AND t.\(name: FixedColumn.entity) = \(value: .integer(entityNumber))"
  }

  /// Finds a new row whose destination does not exist or is of another entity than its ID says:
  /// its `Z_PK`, the key it refers to.
  func danglingReference(after key: Int64) -> SQL {
    let numbers = destinationNumbers.map { SQL.value(.integer($0)) }.joined(", ")
    var mismatch: SQL = """
      d.\(name: FixedColumn.primaryKey) IS NULL OR d.\(name: FixedColumn.entity) NOT IN (\(numbers))
      """
    if let entityColumn = column.entityColumn {
      mismatch += " OR d.\(name: FixedColumn.entity) <> t.\(name: entityColumn)"
    }
    return """
      SELECT t.\(name: FixedColumn.primaryKey), t.\(name: column.column) \
      FROM \(name: table) AS t LEFT JOIN \(name: destinationTable) AS d \
      ON d.\(name: FixedColumn.primaryKey) = t.\(name: column.column) \
      WHERE \(isNew(after: key)) AND t.\(name: column.column) IS NOT NULL AND (\(mismatch)) \
      ORDER BY t.\(name: FixedColumn.primaryKey) LIMIT 1
      """
  }

  /// The statements that complete the relationship, in order.
  func completion(after key: Int64) -> [SQL] {
    var steps: [SQL] = []
    if let order = column.orderColumn { steps.append(ordering(in: order, after: key)) }
    if let partner {
      steps.append(release(after: key))
      steps.append(link(partner, after: key))
    }
    return steps
  }

  /// Puts the new rows that have no place yet behind their owner's others: 2048, 3072, … for a new
  /// owner, since Core Data leaves 1024 between neighbours.
  private func ordering(in order: String, after key: Int64) -> SQL {
    let unplaced: SQL = """
      \(isNew(after: key)) AND t.\(name: column.column) IS NOT NULL AND t.\(name: order) IS NULL
      """
    return """
      WITH taken AS (\
      SELECT o.\(name: column.column) AS owner, max(o.\(name: order)) AS place \
      FROM \(name: table) AS o WHERE o.\(name: column.column) IN \
      (SELECT t.\(name: column.column) FROM \(name: table) AS t WHERE \(unplaced)) GROUP BY 1), \
      placed AS (\
      SELECT t.\(name: FixedColumn.primaryKey) AS k, \
      1024 * row_number() OVER (PARTITION BY t.\(name: column.column) \
      ORDER BY t.\(name: FixedColumn.primaryKey)) + coalesce(taken.place, 1024) AS place \
      FROM \(name: table) AS t JOIN taken ON taken.owner = t.\(name: column.column) \
      WHERE \(unplaced)) \
      UPDATE \(name: table) SET \(name: order) = placed.place FROM placed \
      WHERE \(name: table).\(name: FixedColumn.primaryKey) = placed.k
      """
  }

  /// Each destination has one partner: the last new row that names it. The others let go.
  private func release(after key: Int64) -> SQL {
    var cleared: SQL = "\(name: column.column) = NULL"
    if let entityColumn = column.entityColumn { cleared += ", \(name: entityColumn) = NULL" }
    return """
      UPDATE \(name: table) SET \(cleared), \
      \(name: FixedColumn.version) = \(name: FixedColumn.version) + \
      (\(name: FixedColumn.primaryKey) <= \(value: .integer(key))) \
      WHERE \(name: column.column) IN (\(takenDestinations(after: key))) \
      AND \(name: FixedColumn.primaryKey) NOT IN (\(partners(after: key)))
      """
  }

  private func takenDestinations(after key: Int64) -> SQL {
    "SELECT t.\(name: column.column) FROM \(name: table) AS t WHERE \(isNew(after: key)) "
      + "AND t.\(name: column.column) IS NOT NULL"
  }

  private func partners(after key: Int64) -> SQL {
    """
    SELECT max(t.\(name: FixedColumn.primaryKey)) FROM \(name: table) AS t \
    WHERE \(isNew(after: key)) AND t.\(name: column.column) IS NOT NULL \
    GROUP BY t.\(name: column.column)
    """
  }

  /// The destination names the new row back.
  private func link(_ partner: ToOneColumn, after key: Int64) -> SQL {
    var named: SQL = "\(name: partner.column) = t.\(name: FixedColumn.primaryKey)"
    if let entityColumn = partner.entityColumn {
      named += ", \(name: entityColumn) = t.\(name: FixedColumn.entity)"
    }
    return """
      UPDATE \(name: destinationTable) SET \(named), \
      \(name: FixedColumn.version) = \(name: destinationTable).\(name: FixedColumn.version) + 1 \
      FROM \(name: table) AS t WHERE \(isNew(after: key)) \
      AND t.\(name: column.column) = \(name: destinationTable).\(name: FixedColumn.primaryKey)
      """
  }
}
