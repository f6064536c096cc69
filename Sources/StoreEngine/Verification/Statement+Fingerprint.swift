import GRDBSQLite

extension Statement {
  /// The loop runs at SQLite's speed: nothing of a row outlives it.
  mutating func fingerprint() throws(StoreError) -> RowFingerprint {
    let width = Int(columnCount) - 1
    var result = RowFingerprint(width: max(width, 0))
    guard columnCount > 0 else { return result }
    while try step() {
      let key = ValueMix.value(sqlite3_column_value(handle, 0))
      result.rows += 1
      result.keys &+= key
      for index in 0..<width {
        // Taken once past the connection's mutex, as in `copyRow`.
        let value = sqlite3_column_value(handle, Int32(truncatingIfNeeded: index + 1))
        guard sqlite3_value_type(value) != SQLITE_NULL else { continue }
        result.columns[index].values += 1
        result.columns[index].sum &+= ValueMix.both(ValueMix.value(value), key)
      }
    }
    return result
  }

  /// What one value of the current row mixes to.
  func mix(at column: Int32) -> UInt64 {
    ValueMix.value(sqlite3_column_value(handle, column))
  }
}
