import StoreLayout
import SQLiteAccess

/// The owners of a to-many relationship whose members a batch update moves. Core Data counts them as changed, although
/// none of their columns is (docs/formats/history.md).
///
/// Its statements read the new values from the plan's table of keys, and stand before the one that sets the column.
struct UpdatedOwners: Hashable, Sendable {
  /// The to-many of the owners.
  var property: String
  /// The owners' table.
  var table: String
  /// The table of the members, and the column that names the owner.
  var memberTable: String
  var column: String
  /// The column of the key table that holds the new owner.
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

  /// `Z_ENT` and `Z_PK` of those that lose or get a member.
  var rows: SQL {
    """
    SELECT \(name: FixedColumn.entity), \(name: FixedColumn.primaryKey) FROM \(name: table) \
    WHERE \(isChanged)
    """
  }

  /// They are saved once more, unless the update itself does it.
  var touch: SQL {
    let others: SQL =
      table == memberTable
      ? """
       AND \(name: FixedColumn.primaryKey) NOT IN (SELECT k FROM temp.\(name: UpdatePlan.keyTable))
      """ : ""
    return "UPDATE \(name: table) SET \(RowVersions.raising) WHERE \(isChanged)\(others)"
  }
}
