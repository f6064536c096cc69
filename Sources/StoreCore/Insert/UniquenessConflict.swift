import SQLiteAccess

extension DatabaseError {
  /// The constraint that SQLite's message names; nil for other failures.
  ///
  /// SQLite says `UNIQUE constraint failed: ZTEAM.ZNAME, ZTEAM.ZCITY`.
  package func violated(
    among constraints: [InsertPlan.UniquenessConstraint], of table: String
  ) -> InsertPlan.UniquenessConstraint? {
    guard case .constraint(_, let message) = self else { return nil }
    return constraints.first { constraint in
      let columns = constraint.columns.map { "\(table).\($0)" }.joined(separator: ", ")
      return message.hasSuffix(": " + columns)
    }
  }
}
