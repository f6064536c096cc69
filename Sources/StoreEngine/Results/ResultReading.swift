/// Reads the rows of a request, in a read transaction that is open.
struct ResultReading {
  let query: ResultQuery
  let naming: SectionNaming?
  let connection: Connection

  /// All rows as they are now.
  ///
  /// Their values are read in no order and compared with those of the last time. Rows that are sorted
  /// by what they were sorted by before keep their order; each other row is put among them by a search
  /// that asks for the values of a few rows. Where those are many, all are sorted by SQLite.
  ///
  /// - Parameter old: the rows as they were, of this request, from anywhere.
  /// - Returns: nil when they are as they were.
  /// - Throws: `StoreError`; what naming a section throws.
  func rows(after old: MatchedRows?) throws -> MatchedRows? {
    let scan = try RowScan(query, on: connection, expecting: old?.count ?? 0)
    guard let old else { return try sorted(scan) }
    let merge = ScanMerge(old, scan)
    guard merge.isChanged else { return nil }
    guard merge.arrivals.count * Self.sortingShare <= scan.count else { return try sorted(scan) }
    let fresh = old.refreshed(at: merge.changes, from: merge, scan)
    guard merge.isReordered else { return fresh }
    return try placed(merge, of: scan, in: fresh) ?? sorted(scan)
  }

  /// To find a row's place takes as long as to sort a hundred rows.
  private static let sortingShare = 100

  // MARK: All rows

  private func sorted(_ scan: RowScan) throws -> MatchedRows {
    var statement = try connection.prepare(query.ordered)
    var builder = MatchedRowsBuilder(scan, hasSections: naming != nil)
    var last: UInt64?
    var next = 0
    while try statement.step() {
      let key = statement.integer(at: 0)
      if next >= scan.count || scan.rows[next].key != key {
        next = scan.place(of: key) ?? scan.count
      }
      // One snapshot holds the same rows for both statements.
      guard next < scan.count else { continue }
      if let naming {
        let mix = statement.mix(at: 1)
        if mix != last { builder.begin(try naming.heading(of: statement, at: 1)) }
        last = mix
      }
      builder.append(next)
      next += 1
    }
    return builder.finish()
  }

  // MARK: A few rows

  /// Nil when a row can't be placed.
  private func placed(
    _ merge: ScanMerge, of scan: RowScan, in old: MatchedRows
  ) throws -> MatchedRows? {
    var search = RowSearch(self)
    var arrivals: [(place: Int, row: RowSearch.Row)] = []
    for place in merge.arrivals {
      guard let row = try search.row(withKey: scan.rows[place].key) else { return nil }
      arrivals.append((place, row))
    }
    arrivals.sort { search.isOrdered($0.row, $1.row) }
    let staying = old.rows.keys.indices.filter { merge.sources[$0] != ScanMerge.gone }
    var composition = RowComposition(old, merge, staying, scan, hasSections: naming != nil)
    for (place, row) in arrivals {
      let end = try search.firstPlace(
        behind: row, in: staying, from: composition.next, of: old)
      composition.takeStaying(upTo: end)
      composition.take(place, under: row.heading)
    }
    composition.takeStaying(upTo: staying.count)
    return composition.finish()
  }
}

/// A list made of the rows of an old one that stay, with others between them.
private struct RowComposition {
  /// How many of the rows that stay are in it.
  private(set) var next = 0
  private let old: MatchedRows
  private let merge: ScanMerge
  private let staying: [Int]
  private var builder: MatchedRowsBuilder
  /// The section of the old list that the last row that stays is in.
  private var section = 0

  init(
    _ old: MatchedRows, _ merge: ScanMerge, _ staying: [Int], _ scan: RowScan, hasSections: Bool
  ) {
    self.old = old
    self.merge = merge
    self.staying = staying
    builder = MatchedRowsBuilder(scan, hasSections: hasSections)
  }

  mutating func takeStaying(upTo end: Int) {
    while next < end {
      while old.rows.sections[section].rows.upperBound <= staying[next] { section += 1 }
      let limit = old.rows.sections[section].rows.upperBound
      builder.begin(Heading(value: old.rows.sections[section].value, name: old.names[section]))
      while next < end, staying[next] < limit {
        let start = staying[next]
        let first = next
        while next < end, staying[next] < limit, staying[next] - start == next - first { next += 1 }
        builder.append(old, start..<(start + next - first), from: merge.sources)
      }
    }
  }

  mutating func take(_ place: Int, under heading: Heading) {
    builder.begin(heading)
    builder.append(place)
  }

  consuming func finish() -> MatchedRows { builder.finish() }
}
