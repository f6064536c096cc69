import CSQLite
import PredicateSQL
import SQLiteAccess

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

/// Compares the rows of a scan, as they come, with those of the scan before: where nothing has changed,
/// nothing is written.
struct ScanComparison {
  private let old: [RowScan.Row]
  /// The first of the old rows that has not been seen.
  private var next = 0
  private var difference = ScanDifference()
  /// All rows so far, once they have turned out not to come by their keys.
  private var unsorted: [RowScan.Row]?

  init(_ old: RowScan) {
    self.old = old.rows
  }

  @inline(__always)
  mutating func take(_ row: RowScan.Row) {
    guard next < old.count, old[next].key == row.key, unsorted == nil else { return takeOther(row) }
    if old[next] != row { difference.changes.append((next, row)) }
    next += 1
  }

  private mutating func takeOther(_ row: RowScan.Row) {
    // Rows come by their keys, unless SQLite finds them by an index.
    if unsorted == nil, !isBehindAll(row) { unsorted = taken }
    guard unsorted == nil else {
      unsorted?.append(row)
      return
    }
    while next < old.count, old[next].key < row.key {
      difference.removals.append(next)
      next += 1
    }
    if next < old.count, old[next].key == row.key { return take(row) }
    difference.insertions.append((next, row))
  }

  private func isBehindAll(_ row: RowScan.Row) -> Bool {
    // An old row that is gone comes before the one that told so.
    if next > 0, old[next - 1].key >= row.key { return false }
    return difference.insertions.last.map { $0.element.key < row.key } ?? true
  }

  private var taken: [RowScan.Row] {
    var scan = Array(old[..<next])
    for (place, row) in difference.changes { scan[place] = row }
    scan.edit(removing: difference.removals, inserting: difference.insertions)
    return scan
  }

  /// The difference, after the last row.
  consuming func finish() -> ScanDifference {
    if var rows = unsorted {
      rows.sort { $0.key < $1.key }
      self = ScanComparison(RowScan(rows: old))
      for row in rows { take(row) }
    }
    difference.removals += next..<old.count
    return difference
  }
}
