/// What a scan says about the rows of the last one.
struct ScanMerge {
  /// For each row of the old list its place in the scan; `gone` for one that is there no more, or has
  /// to be put elsewhere.
  private(set) var sources: [Int]
  /// Places in the scan of rows that are new, or have to be put elsewhere.
  private(set) var arrivals: [Int] = []
  /// Places in the old list of rows that stay and show other values.
  private(set) var changes: [Int] = []
  /// Rows have come, gone, or have to be put elsewhere.
  private(set) var isReordered: Bool

  var isChanged: Bool { isReordered || !changes.isEmpty }

  static let gone = -1

  init(_ old: MatchedRows, _ scan: RowScan) {
    sources = [Int](repeating: Self.gone, count: old.count)
    isReordered = old.count != scan.count
    var next = 0
    for place in old.byKey {
      let key = old.rows.keys[place]
      while next < scan.count, scan.rows[next].key < key {
        arrivals.append(next)
        next += 1
      }
      guard next < scan.count, scan.rows[next].key == key else {
        isReordered = true
        continue
      }
      let row = scan.rows[next]
      if row.order == old.orders[place] {
        sources[place] = next
        if row.fingerprint != old.rows.fingerprints[place] { changes.append(place) }
      } else {
        arrivals.append(next)
      }
      next += 1
    }
    arrivals += next..<max(next, scan.count)
    if !arrivals.isEmpty { isReordered = true }
  }
}
