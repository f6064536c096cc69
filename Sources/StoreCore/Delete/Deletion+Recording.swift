import PredicateSQL
import SQLiteAccess

/// What a deletion takes for granted where its statements are to run again, perhaps on other rows: it has statements only
/// for what it has met.
extension Deletion {
  /// The choice between strategies rests on the rows, and a statement that empties a table would take any.
  mutating func prepareForRecording() {
    guard StatementRecorder.current != nil else { return }
    strategy = { _ in .keys }
    wholeSize = .max
  }

  /// So many rounds must do.
  func expectNoRow(beyond round: Int64) {
    for deleted in plan.deleted where deleted.isRepeated && !deleted.isWhole {
      StatementRecorder.current?.expectNone(
        "SELECT key FROM \(deleted.rows) WHERE round >= \(.number(round))",
        "the deletion leads to more rows than it did")
    }
  }

  func expectNone(of deleted: DeletedRows) {
    guard !deleted.isWhole else { return }
    StatementRecorder.current?.expectNone(
      "SELECT key FROM \(deleted.rows)", "the deletion leads to rows of more tables than it did")
  }

  func expectNone(in table: String, where condition: SQL, of relationship: String) {
    StatementRecorder.current?.expectNone(
      "SELECT 1 FROM \(name: table) WHERE \(condition)",
      "rows that stay lose '\(relationship)', which none did")
  }
}
