import PredicateSQL
import SQLiteAccess
import CSQLite

/// Mixes the rows of a scan, and hands them to a comparison with the scan before.
struct RowScanner {
  private var comparison: ScanComparison
  /// The values that the row shows.
  private let shown: Range<Int>
  /// The values that it is sorted by.
  private let order: [Int]

  /// What a scan of all rows now says that the one before did not.
  ///
  /// - Throws: `DatabaseError`
  static func difference(
    from old: RowScan, _ query: ResultQuery, on connection: Connection
  ) throws(DatabaseError) -> ScanDifference {
    let values = query.scanned.values
    var scanner = RowScanner(query, old)
    try connection.forEachRow(of: query.scan(values), width: values.count) { scanner.take($0) }
    return scanner.comparison.finish()
  }

  private init(_ query: ResultQuery, _ old: RowScan) {
    comparison = ScanComparison(old)
    shown = 2..<(2 + query.row.values.count)
    order = query.scanned.order
  }

  @inline(__always)
  private mutating func take(_ values: UnsafeBufferPointer<OpaquePointer?>) {
    // A value that is shown and sorted by is mixed once.
    withUnsafeTemporaryAllocation(of: UInt64.self, capacity: values.count) { mixes in
      for index in values.indices {
        mixes.initializeElement(
          at: index, to: index < shown.lowerBound ? 0 : ValueMix.value(values[index]))
      }
      let number = sqlite3_value_int64(values[1])
      // Not a sum: two values that have changed places make another row, and so does another entity.
      let fingerprint = shown.reduce(UInt64(bitPattern: number)) { ValueMix.both($0, mixes[$1]) }
      let sum = order.reduce(0) { ValueMix.both($0, mixes[$1]) }
      comparison.take(
        RowScan.Row(
          key: sqlite3_value_int64(values[0]), number: number, fingerprint: fingerprint, order: sum)
      )
    }
  }
}
