import StoreLayout
import SQLiteAccess

/// The SQL that checks a to-one relationship after all rows are inserted, and completes it: it updates the inverse, the
/// positions of members, and versions. The number of statements doesn't depend on the number of rows.
package struct RelationshipStep: Hashable, Sendable {
  var property: String
  var table: String
  /// Nil if the table contains only rows of the entity.
  var entityNumber: Int64?
  var column: ToOneColumn
  var destinationTable: String
  /// The numbers of the possible destination entities.
  var destinationNumbers: [Int64]
  /// The inverse of a one-to-one relationship.
  var partner: ToOneColumn?
  /// The name of the inverse.
  var inverse: String?

  private var numbers: SQL { .list(destinationNumbers) }

  /// The condition for new rows, whose keys are greater than `key`. Their table has the alias `t`.
  private func isNew(after key: Int64) -> SQL {
    let newer: SQL = "t.\(name: FixedColumn.primaryKey) > \(value: .integer(key))"
    guard let entityNumber else { return newer }
    return newer + " AND t.\(name: FixedColumn.entity) = \(value: .integer(entityNumber))"
  }

  /// Returns a SELECT of a new row whose destination doesn't exist or has another entity than the reference specifies:
  /// the row's `Z_PK` and the referenced key.
  func danglingReference(after key: Int64) -> SQL {
    danglingReference(among: isNew(after: key))
  }

  /// Returns a SELECT of a row with an invalid reference, among the rows whose primary keys the SELECT `keys` returns.
  func danglingReference(of keys: SQL) -> SQL {
    danglingReference(among: "t.\(name: FixedColumn.primaryKey) IN (\(keys))")
  }

  /// Returns a SELECT that returns a row if the destination exists.
  func destination(withKey key: Int64) -> SQL {
    """
    SELECT 1 FROM \(name: destinationTable) WHERE \(name: FixedColumn.primaryKey) = \(value: .integer(key)) \
    AND \(name: FixedColumn.entity) IN \(numbers)
    """
  }

  private func danglingReference(among rows: SQL) -> SQL {
    var mismatch: SQL = """
      d.\(name: FixedColumn.primaryKey) IS NULL OR d.\(name: FixedColumn.entity) NOT IN \(numbers)
      """
    if let entityColumn = column.entityColumn {
      mismatch += " OR d.\(name: FixedColumn.entity) <> t.\(name: entityColumn)"
    }
    return """
      SELECT t.\(name: FixedColumn.primaryKey), t.\(name: column.column) \
      FROM \(name: table) AS t LEFT JOIN \(name: destinationTable) AS d \
      ON d.\(name: FixedColumn.primaryKey) = t.\(name: column.column) \
      WHERE \(rows) AND t.\(name: column.column) IS NOT NULL AND (\(mismatch)) \
      ORDER BY t.\(name: FixedColumn.primaryKey) LIMIT 1
      """
  }

  /// A statement and the existing rows that it changes.
  struct Completion {
    var statement: SQL
    /// A SELECT of `Z_ENT` and `Z_PK` of the existing rows that the statement changes, and the changed property.
    var changed: (rows: SQL, property: String)?
  }

  /// Returns the statements that complete the relationship, in order.
  func completion(after key: Int64) -> [Completion] {
    var steps: [Completion] = []
    if let order = column.orderColumn {
      steps.append(Completion(statement: ordering(in: order, after: key)))
    }
    if let partner, let inverse {
      let released = SQL.entitiesAndKeys(of: table, where: isReleased(after: key))
      steps += [
        Completion(statement: release(after: key), changed: (released, property)),
        Completion(
          statement: link(partner, after: key), changed: (destinations(after: key), inverse)),
      ]
    }
    return steps
  }

  /// Returns the statement that increments the versions of the owners of new members. Core Data treats these owners as
  /// changed, although their columns don't change. Nil if the inverse isn't to-many.
  func newMembers(after key: Int64) -> Completion? {
    guard partner == nil, let inverse else { return nil }
    let owners = destinations(after: key)
    return Completion(
      statement: """
        UPDATE \(name: destinationTable) \
        SET \(RowVersions.raising) \
        WHERE \(name: FixedColumn.primaryKey) IN (SELECT \(name: FixedColumn.primaryKey) \
        FROM (\(owners)))
        """,
      changed: (owners, inverse))
  }

  /// Returns a SELECT of the existing rows to which the new rows refer.
  private func destinations(after key: Int64) -> SQL {
    let older: SQL =
      table == destinationTable
      ? " AND d.\(name: FixedColumn.primaryKey) <= \(value: .integer(key))" : ""
    return """
      SELECT d.\(name: FixedColumn.entity), d.\(name: FixedColumn.primaryKey) \
      FROM \(name: destinationTable) AS d WHERE d.\(name: FixedColumn.primaryKey) IN \
      (\(takenDestinations(after: key)))\(older)
      """
  }

  /// Returns the statement that places new rows without a position after the other members of their owner.
  private func ordering(in order: String, after key: Int64) -> SQL {
    let unplaced: SQL = """
      \(isNew(after: key)) AND t.\(name: column.column) IS NOT NULL AND t.\(name: order) IS NULL
      """
    let number: SQL = """
      row_number() OVER (PARTITION BY t.\(name: column.column) \
      ORDER BY t.\(name: FixedColumn.primaryKey))
      """
    return """
      WITH taken AS (\
      SELECT o.\(name: column.column) AS owner, \(OrderPlaces.last(.name("o", order))) AS place \
      FROM \(name: table) AS o WHERE o.\(name: column.column) IN \
      (SELECT t.\(name: column.column) FROM \(name: table) AS t WHERE \(unplaced)) GROUP BY 1), \
      placed AS (\
      SELECT t.\(name: FixedColumn.primaryKey) AS k, \
      \(OrderPlaces.place(ofNext: number, behind: "taken.place")) AS place \
      FROM \(name: table) AS t JOIN taken ON taken.owner = t.\(name: column.column) \
      WHERE \(unplaced)) \
      UPDATE \(name: table) SET \(name: order) = placed.place FROM placed \
      WHERE \(name: table).\(name: FixedColumn.primaryKey) = placed.k
      """
  }

  /// Returns the statement that, in a one-to-one relationship, unlinks all rows that refer to a new row's destination
  /// except the last new row.
  private func release(after key: Int64) -> SQL {
    """
    UPDATE \(name: table) SET \(SQL.clearing([column.column, column.entityColumn])), \
    \(name: FixedColumn.version) = CASE WHEN \(name: FixedColumn.primaryKey) <= \
    \(value: .integer(key)) THEN \(RowVersions.next()) ELSE \(name: FixedColumn.version) END \
    WHERE \(isReleased(after: key))
    """
  }

  private func isReleased(after key: Int64) -> SQL {
    "\(name: column.column) IN (\(takenDestinations(after: key))) "
      + "AND \(name: FixedColumn.primaryKey) NOT IN (\(partners(after: key)))"
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

  /// Returns the statement that makes the destination refer to the new row.
  private func link(_ partner: ToOneColumn, after key: Int64) -> SQL {
    var named: SQL = "\(name: partner.column) = t.\(name: FixedColumn.primaryKey)"
    if let entityColumn = partner.entityColumn {
      named += ", \(name: entityColumn) = t.\(name: FixedColumn.entity)"
    }
    return """
      UPDATE \(name: destinationTable) SET \(named), \
      \(name: FixedColumn.version) = \(RowVersions.next(of: destinationTable)) \
      FROM \(name: table) AS t WHERE \(isNew(after: key)) \
      AND t.\(name: column.column) = \(name: destinationTable).\(name: FixedColumn.primaryKey) \
      AND \(.name(destinationTable, partner.column)) IS NOT t.\(name: FixedColumn.primaryKey)
      """
  }
}
