import SQLiteAccess

/// A check of the store as SQL, and its repair.
struct VerificationCheck: Hashable, Sendable {
  /// The finding if there are cases. Its count and examples are set by `ask`.
  var finding: Finding
  /// A SELECT of an entity's number (NULL for a pair) and a key (or a text) of each case.
  var cases: SQL
  var repair: Repair?

  struct Repair: Hashable, Sendable {
    var statement: SQL
    /// The remaining rows that the repair changes.
    var touched: [Touched] = []
  }

  struct Touched: Hashable, Sendable {
    var table: String
    /// A SELECT of `Z_ENT` and `Z_PK`.
    var rows: SQL
    /// The property that changes, for the history; nil if the change isn't in a property.
    var property: String?
  }

  /// Runs the check. Returns nil if `cases` is empty.
  ///
  /// - Parameter name: returns the object ID of a row.
  func ask(
    _ connection: Connection, name: (_ entity: Int64, _ key: Int64) -> String
  ) throws(DatabaseError) -> Finding? {
    let rows = try connection.rows(
      """
      SELECT count(*) OVER (), entity, key FROM \
      (SELECT NULL AS entity, NULL AS key WHERE FALSE UNION ALL \(cases)) \
      ORDER BY key LIMIT \(value: .integer(Int64(Finding.exampleLimit)))
      """)
    guard let count = rows.first?.first?.integer else { return nil }
    var found = finding
    found.count = count
    found.examples = rows.map { row in
      guard let entity = row[1].integer, let key = row[2].integer else {
        return row[2].text ?? row[2].integer.map { "\($0)" } ?? ""
      }
      return name(entity, key)
    }
    return found
  }
}
