import SQLiteAccess
import StoreLayout

/// The additional changes if a batch update sets a to-one relationship: the inverse of a one-to-one relationship, and
/// the positions in an ordered to-many inverse.
///
/// Its statements run before and after the statement that sets the column, and read the new values from the plan's
/// table of keys.
struct UpdatedLink: Hashable, Sendable {
  var property: String
  var table: String
  var column: ToOneColumn
  var isRequired: Bool
  var destinationTable: String
  /// The inverse of a one-to-one relationship.
  var partner: Partner?
  /// The column of the key table with the new destination.
  var value: String

  struct Partner: Hashable, Sendable {
    var property: String
    var column: ToOneColumn
    var isRequired: Bool
  }

  private var changed: SQL { "temp.\(name: UpdatePlan.keyTable)" }

  /// The statements that unlink the former destinations of updated rows, and the former partners of the new
  /// destinations, each with the property that it sets to NULL if the model requires a value.
  var releases: [(statement: SQL, required: String?)] {
    guard let partner else { return [] }
    return [
      (
        clearing(partner.column, in: destinationTable, where: losesOwner),
        partner.isRequired ? partner.property : nil
      ),
      (clearing(column, in: table, where: losesDestination), isRequired ? property : nil),
    ]
  }

  private var losesOwner: SQL { "IN (SELECT k FROM \(changed))" }

  private var losesDestination: SQL {
    """
    IN (SELECT \(name: value) FROM \(changed)) \
    AND \(name: FixedColumn.primaryKey) NOT IN (SELECT k FROM \(changed))
    """
  }

  /// SELECTs of `Z_ENT` and `Z_PK` of the rows, besides the updated rows, that lose or receive a partner in a
  /// one-to-one relationship, each with the changed property. The rows must be recorded in the history before
  /// `releases` run.
  var partners: [(rows: SQL, property: String)] {
    guard let partner else { return [] }
    let rows: [(table: String, condition: SQL, property: String)] = [
      (destinationTable, "\(name: partner.column.column) \(losesOwner)", partner.property),
      (table, "\(name: column.column) \(losesDestination)", property),
      (
        destinationTable,
        "\(name: FixedColumn.primaryKey) IN (SELECT \(name: value) FROM \(changed))",
        partner.property
      ),
    ]
    return rows.map { (.entitiesAndKeys(of: $0.table, where: $0.condition), $0.property) }
  }

  private func clearing(_ column: ToOneColumn, in table: String, where condition: SQL) -> SQL {
    let cleared = SQL.clearing([column.column, column.entityColumn, column.orderColumn])
    return """
      UPDATE \(name: table) SET \(cleared), \(RowVersions.raising) \
      WHERE \(name: column.column) \(condition)
      """
  }

  var completions: [SQL] {
    [column.orderColumn.map(placing), partner.map(linking)].compactMap { $0 }
  }

  /// Returns the statement that places the rows after the other members of their new owner.
  private func placing(in order: String) -> SQL {
    let place = OrderPlaces.place(
      ofNext: "row_number() OVER (PARTITION BY n.\(name: value) ORDER BY n.k)",
      behind: "taken.place")
    return """
      WITH taken AS (\
      SELECT o.\(name: column.column) AS owner, \(OrderPlaces.last(.name("o", order))) AS place \
      FROM \(name: table) AS o WHERE o.\(name: column.column) IN \
      (SELECT \(name: value) FROM \(changed)) GROUP BY 1), \
      placed AS (\
      SELECT n.k AS k, \(place) AS place \
      FROM \(changed) AS n JOIN taken ON taken.owner = n.\(name: value)) \
      UPDATE \(name: table) SET \(name: order) = placed.place FROM placed \
      WHERE \(.name(table, FixedColumn.primaryKey)) = placed.k
      """
  }

  /// Returns the statement that makes the destination refer to the row.
  private func linking(_ partner: Partner) -> SQL {
    var set: SQL = "\(name: partner.column.column) = n.k"
    if let entityColumn = partner.column.entityColumn { set += ", \(name: entityColumn) = n.e" }
    return """
      UPDATE \(name: destinationTable) SET \(set), \(RowVersions.raising) \
      FROM \(changed) AS n \
      WHERE \(.name(destinationTable, FixedColumn.primaryKey)) = n.\(name: value) \
      AND \(.name(destinationTable, partner.column.column)) IS NOT n.k
      """
  }

  /// A SELECT of a row whose destination refers to another row, because two rows have the same new partner.
  var conflict: SQL? {
    partner.map { partner in
      """
      SELECT n.k, n.e, n.\(name: value) FROM \(changed) AS n JOIN \(name: destinationTable) AS d \
      ON d.\(name: FixedColumn.primaryKey) = n.\(name: value) \
      WHERE d.\(name: partner.column.column) IS NOT n.k LIMIT 1
      """
    }
  }
}

/// The owners of a to-many relationship whose members a batch update moves to other owners. Core Data treats them as
/// changed, although their columns don't change (docs/formats/history.md).
///
/// Its statements read the new values from the plan's table of keys, and run before the statement that sets the column.
struct UpdatedOwners: Hashable, Sendable {
  /// The to-many relationship of the owners.
  var property: String
  /// The owners' table.
  var table: String
  /// The table of the members, and the column that refers to the owner.
  var memberTable: String
  var column: String
  /// The column of the key table with the new owner.
  var value: String

  private var isChanged: SQL {
    let (new, old): (SQL, SQL) = ("n.\(name: value)", "m.\(name: column)")
    let moved: SQL = """
      FROM temp.\(name: UpdatePlan.keyTable) AS n JOIN \(name: memberTable) AS m \
      ON m.\(name: FixedColumn.primaryKey) = n.k WHERE \(old) IS NOT \(new)
      """
    return """
      \(name: FixedColumn.primaryKey) IN (SELECT \(old) \(moved) UNION SELECT \(new) \(moved))
      """
  }

  /// A SELECT of `Z_ENT` and `Z_PK` of the owners that lose or receive a member.
  var rows: SQL { .entitiesAndKeys(of: table, where: isChanged) }

  /// The statement that increments the owners' versions, except for owners whose version the update itself increments.
  var touch: SQL {
    let others: SQL =
      table == memberTable
      ? """
       AND \(name: FixedColumn.primaryKey) NOT IN (SELECT k FROM temp.\(name: UpdatePlan.keyTable))
      """ : ""
    return "UPDATE \(name: table) SET \(RowVersions.raising) WHERE \(isChanged)\(others)"
  }
}
