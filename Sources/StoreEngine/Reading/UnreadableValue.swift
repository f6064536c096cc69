import SQLiteAccess
import StoreModel

/// A row holds what its Swift type can't.
struct UnreadableValue: Error, Hashable {
  enum Row: Hashable {
    case object(entity: String, key: Int64)
    /// Counted from 1, in an answer without object IDs.
    case number(Int, of: String)
  }

  var problem: RowMismatch
  /// The property, or the expression that was selected.
  var property: String
  var found: SQLiteValue
  var row: Row

  init(_ problem: RowMismatch, property: String, found: SQLiteValue, row: Row) {
    self.problem = problem
    self.property = property
    self.found = found
    self.row = row
  }
}
