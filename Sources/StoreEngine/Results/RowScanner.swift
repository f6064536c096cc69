import CSQLite
import PredicateSQL
import SQLiteAccess

/// Hashes the rows of a scan and compares them with the previous scan.
struct RowScanner {
  private var comparison: ScanComparison
  /// The indexes of the row's values.
  private let shown: Range<Int>
  /// The indexes of the sort values.
  private let order: [Int]

  /// Returns the difference between a new scan of all rows and the previous scan.
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
    // A value of the row that is also a sort value is hashed once.
    withUnsafeTemporaryAllocation(of: UInt64.self, capacity: values.count) { mixes in
      for index in values.indices {
        mixes.initializeElement(
          at: index, to: index < shown.lowerBound ? 0 : ValueMix.value(values[index]))
      }
      let number = sqlite3_value_int64(values[1])
      // The hash depends on the order of the values and on the entity.
      let fingerprint = shown.reduce(UInt64(bitPattern: number)) { ValueMix.both($0, mixes[$1]) }
      let sum = order.reduce(0) { ValueMix.both($0, mixes[$1]) }
      comparison.take(
        RowScan.Row(
          key: sqlite3_value_int64(values[0]), number: number, fingerprint: fingerprint, order: sum)
      )
    }
  }
}

/// Compares the rows of a scan, as they are read, with the previous scan. Unchanged rows aren't stored again.
struct ScanComparison {
  private let old: [RowScan.Row]
  /// The first old row that hasn't been compared.
  private var next = 0
  private var difference = ScanDifference()
  /// All rows so far, if they aren't sorted by key.
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
    // Rows are sorted by key unless SQLite uses an index.
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
    // Each old row before `next` was read again or precedes a row that was read.
    if next > 0, old[next - 1].key >= row.key { return false }
    return difference.insertions.last.map { $0.element.key < row.key } ?? true
  }

  private var taken: [RowScan.Row] {
    var scan = Array(old[..<next])
    for (place, row) in difference.changes { scan[place] = row }
    scan.edit(removing: difference.removals, inserting: difference.insertions)
    return scan
  }

  /// Returns the difference after the last row.
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
