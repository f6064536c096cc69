import SQLiteAccess

/// The rows of a statement, packed some hundred at a time.
struct RowBatches: ~Copyable {
  private var statement: Statement
  private let batch: PackedRows
  private var isAtEnd = false

  init(_ statement: consuming Statement) {
    batch = PackedRows(width: Int(statement.columnCount))
    self.statement = statement
  }

  /// The next rows; nil after the last ones. They are good until the next call.
  ///
  /// - Throws: `DatabaseError`
  mutating func next(atMost count: Int = PackedRows.rowLimit) throws(DatabaseError) -> PackedRows? {
    batch.removeAll()
    while !isAtEnd, !batch.isFull, batch.count < count {
      guard try statement.step() else {
        isAtEnd = true
        break
      }
      statement.copyRow(into: batch)
    }
    return batch.count == 0 ? nil : batch
  }
}
