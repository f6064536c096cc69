/// What a scan says about the rows of the last one.
struct ScanMerge {
  /// For each row of the old list its place in the scan; `gone` for one that is there no more, or has
  /// to be put elsewhere.
  private(set) var sources: [Int]
  /// Places in the scan of rows that are new, or have to be put elsewhere.
  private(set) var arrivals: [Int] = []
  private(set) var isChanged: Bool

  static let gone = -1

  init(_ old: MatchedRows, _ scan: RowScan) {
    sources = [Int](repeating: Self.gone, count: old.count)
    isChanged = old.count != scan.count
    var next = 0
    for place in old.byKey {
      let key = old.rows.keys[place]
      while next < scan.count, scan.keys[next] < key {
        arrivals.append(next)
        next += 1
      }
      guard next < scan.count, scan.keys[next] == key else {
        isChanged = true
        continue
      }
      if scan.orders[next] == old.orders[place] {
        sources[place] = next
        if scan.fingerprints[next] != old.rows.fingerprints[place] { isChanged = true }
      } else {
        arrivals.append(next)
      }
      next += 1
    }
    arrivals += next..<max(next, scan.count)
    if !arrivals.isEmpty { isChanged = true }
  }
}
