import SQLiteAccess
import StoreLayout

/// A check of the store: a SELECT of the damaged rows or pairs, and optionally a statement that repairs them.
struct VerificationCheck: Hashable, Sendable {
  /// The finding to report if `cases` returns rows. `ask` sets its count and examples.
  var finding: StoreFinding
  /// A SELECT with the columns `entity` and `key`. For a damaged row, they are its `Z_ENT` and `Z_PK`. For other cases,
  /// such as pairs, `entity` is NULL and `key` is a text or a number.
  var cases: SQL
  var repair: Repair?

  /// Returns a query for rows of a table, whose alias in the condition is `t`.
  static func rows(of table: String, where condition: SQL) -> SQL {
    """
    SELECT t.\(name: FixedColumn.entity) AS entity, t.\(name: FixedColumn.primaryKey) AS key \
    FROM \(name: table) AS t WHERE \(condition)
    """
  }

  struct Repair: Hashable, Sendable {
    var statement: SQL
    /// The rows that the repair changes, without deleted rows. Their `Z_OPT` is incremented.
    var touched: [Touched] = []
  }

  struct Touched: Hashable, Sendable {
    var table: String
    /// A SELECT of the rows' `Z_ENT` and `Z_PK`.
    var rows: SQL
    /// The changed property, which the history records. Nil if no property of these rows changes; the history then
    /// doesn't record the repair.
    var property: String?
  }

  /// Runs the check. Returns nil if `cases` returns no rows.
  ///
  /// - Parameter name: returns the object ID of a row.
  func ask(
    _ connection: Connection, name: (_ entity: Int64, _ key: Int64) -> String
  ) throws(DatabaseError) -> StoreFinding? {
    let rows = try connection.rows(
      """
      SELECT count(*) OVER (), entity, key FROM \
      (SELECT NULL AS entity, NULL AS key WHERE FALSE UNION ALL \(cases)) \
      ORDER BY key LIMIT \(value: .integer(Int64(StoreFinding.exampleLimit)))
      """)
    guard let count = rows.first?.first?.integer else { return nil }
    var found = finding
    found.count = count
    found.isRepairable = repair != nil
    found.examples = rows.map { row in
      guard let entity = row[1].integer, let key = row[2].integer else {
        return row[2].text ?? row[2].integer.map { "\($0)" } ?? ""
      }
      return name(entity, key)
    }
    return found.settled
  }
}
