import SQLiteAccess

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
  /// - Parameters:
  ///   - old: the rows as they were, of this request, from anywhere.
  ///   - scan: the scan of the old rows, which becomes that of the new ones; of no rows without old ones.
  /// - Returns: nil when they are as they were.
  /// - Throws: `DatabaseError`; what naming a section throws. The scan is then as it was.
  func rows(after old: MatchedRows?, _ scan: inout RowScan) throws -> MatchedRows? {
    let difference = try RowScanner.difference(from: scan, query, on: connection)
    guard let old else { return try sorted(difference, &scan) }
    guard !difference.isEmpty else { return nil }
    let edit = ListEdit(difference, of: scan, old)
    guard edit.arrivals.count * Self.sortingShare <= old.count else {
      return try sorted(difference, &scan)
    }
    var fresh = old
    fresh.apply(edit.changes)
    if edit.isReordered {
      guard let placed = try placed(edit, in: fresh, difference) else {
        return try sorted(difference, &scan)
      }
      fresh = placed
    }
    scan.apply(difference)
    return fresh
  }

  /// To find a row's place takes as long as to sort a hundred rows.
  private static let sortingShare = 100

  // MARK: All rows

  private func sorted(_ difference: ScanDifference, _ old: inout RowScan) throws -> MatchedRows {
    var scan = old
    scan.apply(difference)
    var statement = try connection.prepare(query.ordered)
    var builder = MatchedRowsBuilder(expecting: scan.count, hasSections: naming != nil)
    var byKey = [Int](repeating: 0, count: scan.count)
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
      byKey[next] = builder.count
      builder.append(scan.rows[next])
      next += 1
    }
    old = scan
    return builder.finish(byKey: byKey)
  }

  // MARK: A few rows

  /// Nil when a row can't be placed.
  private func placed(
    _ edit: ListEdit, in old: MatchedRows, _ difference: ScanDifference
  ) throws -> MatchedRows? {
    var search = RowSearch(self)
    var arrivals: [(row: RowScan.Row, found: RowSearch.Row)] = []
    for row in edit.arrivals {
      guard let found = try search.row(withKey: row.key) else { return nil }
      arrivals.append((row, found))
    }
    arrivals.sort { search.isOrdered($0.found, $1.found) }
    let staying = StayingPlaces(edit, of: old)
    var composition = ListComposition(old, edit, hasSections: naming != nil)
    var next = 0
    for (row, found) in arrivals {
      next = try search.firstPlace(behind: found, in: staying, from: next, of: old)
      composition.takeOld(upTo: staying[next])
      composition.take(row, under: found.heading)
    }
    return composition.finish(difference)
  }
}
