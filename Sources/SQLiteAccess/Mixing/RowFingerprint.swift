import CSQLite

/// What the rows of a query add up to, whatever their order: equal rows give equal fingerprints, and
/// rows that differ in anything give different ones but for once in 2⁶⁴.
///
/// The first column is the row's key. Every other column's sum mixes each value with its row's key,
/// so that values which have changed places show.
package struct RowFingerprint: Hashable, Sendable {
  package struct Column: Hashable, Sendable {
    /// How many values are not NULL.
    package var values = 0
    package var sum: UInt64 = 0

    package init(values: Int = 0, sum: UInt64 = 0) {
      self.values = values
      self.sum = sum
    }
  }

  package var rows = 0
  package var keys: UInt64 = 0
  package var columns: [Column]

  package init(width: Int) {
    columns = Array(repeating: Column(), count: width)
  }
}

extension RowFingerprint {
  /// - Parameter row: the key first.
  @inline(__always)
  fileprivate mutating func add(_ row: UnsafeBufferPointer<OpaquePointer?>) {
    guard let first = row.first else { return }
    let key = ValueMix.value(first)
    rows += 1
    keys &+= key
    for index in columns.indices {
      let value = row[index + 1]
      guard sqlite3_value_type(value) != SQLITE_NULL else { continue }
      columns[index].values += 1
      columns[index].sum &+= ValueMix.both(ValueMix.value(value), key)
    }
  }
}

extension Connection {
  /// Reads all rows of a query once.
  ///
  /// - Throws: `DatabaseError`
  package func fingerprint(of query: SQL) throws(DatabaseError) -> RowFingerprint {
    let width = Int(try prepare(query).columnCount)
    var result = RowFingerprint(width: max(width - 1, 0))
    try forEachRow(of: query, width: width) { result.add($0) }
    return result
  }
}
