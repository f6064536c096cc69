import CSQLite

/// A checksum of the rows of a query, which doesn't depend on their order. The same rows have the same fingerprint, and
/// different rows have different fingerprints with a probability of about 1 − 2⁻⁶⁴.
///
/// The first column of the query is the row's key. For each other column, the fingerprint contains a sum of hashes of
/// its values. Each hash also includes the row's key, so that the sum changes if two rows exchange their values.
package struct RowFingerprint: Hashable, Sendable {
  package struct Column: Hashable, Sendable {
    /// The number of values that aren't NULL.
    package var values = 0
    package var sum: UInt64 = 0
  }

  package var rows = 0
  /// The sum of the hashes of the keys.
  package var keys: UInt64 = 0
  package var columns: [Column]

  package init(width: Int) {
    columns = Array(repeating: Column(), count: width)
  }
}

extension RowFingerprint {
  /// - Parameter row: the values, beginning with the key.
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
  /// Computes the fingerprint of a query, reading all rows once.
  ///
  /// - Throws: `DatabaseError`
  package func fingerprint(of query: SQL) throws(DatabaseError) -> RowFingerprint {
    let width = Int(try prepare(query).columnCount)
    var result = RowFingerprint(width: max(width - 1, 0))
    try forEachRow(of: query, width: width) { result.add($0) }
    return result
  }
}
