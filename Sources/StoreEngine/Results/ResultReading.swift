import SQLiteAccess

/// Reads the rows of a request in an open read transaction.
struct ResultReading {
  let query: ResultQuery
  let naming: SectionNaming?
  let connection: Connection

  /// Returns all current rows, or nil if they haven't changed.
  ///
  /// The values are read unsorted and compared with the hashes of the previous scan. Rows with unchanged sort values
  /// keep their order. Each other row is inserted by a binary search, which reads the sort values of a few rows. If
  /// there are many such rows, SQLite sorts all rows.
  ///
  /// - Parameters:
  ///   - old: the previous rows of this request, or nil.
  ///   - scan: the scan of the previous rows, which is updated. It must be empty if `old` is nil.
  /// - Throws: `DatabaseError`, and the errors of reading the name of a section. In this case `scan` doesn't change.
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

  /// Finding the position of a row takes as long as sorting a hundred rows.
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
      // The scan and this statement read the same rows, because they are in one transaction.
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

  /// Returns the list with the changed rows at their new positions, or nil if one of these rows can't be read.
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

/// Finds the positions of rows in a sorted list by their sort values.
struct RowSearch {
  struct Row {
    var key: Int64
    var values: [SQLiteValue]
    var heading: Heading
  }

  private let reading: ResultReading
  private var known: [Int64: Row] = [:]

  init(_ reading: ResultReading) {
    self.reading = reading
  }

  /// Returns the sort values and the section of a row, or nil if the row doesn't exist.
  ///
  /// - Throws: `DatabaseError`, and the errors of reading the name of a section.
  mutating func row(withKey key: Int64) throws -> Row? {
    if let row = known[key] { return row }
    let query = reading.query
    var statement = try reading.connection.prepare(query.place(ofRow: key))
    guard try statement.step() else { return nil }
    let first = Int32(query.headingValues.count)
    let row = Row(
      key: key,
      values: query.order.indices.map { statement.value(at: first + Int32($0)) },
      heading: try reading.naming?.heading(of: statement, at: 0) ?? .ofAll)
    known[key] = row
    return row
  }

  func isOrdered(_ one: Row, _ two: Row) -> Bool {
    for (index, key) in reading.query.order.enumerated() {
      if one.values[index].precedes(two.values[index]) { return key.isAscending }
      if two.values[index].precedes(one.values[index]) { return !key.isAscending }
    }
    return one.key < two.key
  }

  /// Returns the index of the first of `places`, from `start` on, whose row in `list` is ordered after `row`.
  mutating func firstPlace(
    behind row: Row, in places: StayingPlaces, from start: Int, of list: MatchedRows
  ) throws -> Int {
    try (start..<places.count).firstPlace { place in
      // The rows of `places` exist, because this transaction has read them.
      guard let other = try self.row(withKey: list.rows.keys[places[place]]) else { return true }
      return !isOrdered(other, row)
    }
  }
}

/// The changes of a list's rows according to the difference of two scans. Positions refer to the list before the
/// changes.
struct ListEdit {
  /// Rows whose values have changed and that keep their positions.
  private(set) var changes: [(place: Int, row: RowScan.Row)] = []
  /// Positions of rows that were deleted or must move, in ascending order.
  private(set) var departures: [Int]
  /// Rows that are new or must move.
  private(set) var arrivals: [RowScan.Row]

  var isReordered: Bool { !departures.isEmpty || !arrivals.isEmpty }

  init(_ difference: ScanDifference, of scan: RowScan, _ list: MatchedRows) {
    departures = difference.removals.map { list.byKey[$0] }
    arrivals = difference.insertions.map(\.element)
    for (index, row) in difference.changes {
      if row.order == scan.rows[index].order {
        changes.append((list.byKey[index], row))
      } else {
        departures.append(list.byKey[index])
        arrivals.append(row)
      }
    }
    departures.sort()
  }
}

/// The positions in a list of the rows that an edit neither removes nor moves, by their index among these rows.
struct StayingPlaces {
  private let departures: [Int]
  let count: Int

  init(_ edit: ListEdit, of list: MatchedRows) {
    departures = edit.departures
    count = list.count - departures.count
  }

  /// Returns the position in the list of the row with this index, or the end of the list.
  subscript(index: Int) -> Int {
    index + departures.indices.firstPlace { departures[$0] - $0 > index }
  }
}

/// Creates a list from the remaining rows of an old list and from inserted rows.
struct ListComposition {
  /// The first row of the old list that hasn't been processed.
  private var next = 0
  private let old: MatchedRows
  private var departures: ArraySlice<Int>
  private var builder: MatchedRowsBuilder
  /// The section of the next row in the old list.
  private var section = 0
  /// For consecutive old rows with the same shift (new position minus old position): the old position of the first row,
  /// and the shift.
  private var runs: [(start: Int, shift: Int)] = []
  /// The positions of inserted rows by key.
  private var places: [Int64: Int] = [:]

  init(_ old: MatchedRows, _ edit: ListEdit, hasSections: Bool) {
    self.old = old
    departures = edit.departures[...]
    builder = MatchedRowsBuilder(
      expecting: old.count - edit.departures.count + edit.arrivals.count, hasSections: hasSections)
  }

  /// Appends the remaining rows of the old list up to a position.
  mutating func takeOld(upTo end: Int) {
    while next < end {
      if departures.first == next {
        departures.removeFirst()
        next += 1
        continue
      }
      while old.rows.sections[section].rows.upperBound <= next { section += 1 }
      builder.begin(Heading(value: old.rows.sections[section].value, name: old.names[section]))
      let limit = min(end, old.rows.sections[section].rows.upperBound)
      let run = next..<min(limit, departures.first ?? limit)
      let shift = builder.count - run.lowerBound
      if runs.last?.shift != shift { runs.append((run.lowerBound, shift)) }
      builder.append(old, run)
      next = run.upperBound
    }
  }

  mutating func take(_ row: RowScan.Row, under heading: Heading) {
    builder.begin(heading)
    places[row.key] = builder.count
    builder.append(row)
  }

  /// - Parameter difference: the difference from the scan of the old list.
  consuming func finish(_ difference: ScanDifference) -> MatchedRows {
    takeOld(upTo: old.count)
    var byKey = old.byKey.map { place in
      // A deleted row may precede all runs.
      let run = runs.indices.firstPlace { runs[$0].start > place } - 1
      return run < 0 ? place : place + runs[run].shift
    }
    for (index, row) in difference.changes {
      if let place = places[row.key] { byKey[index] = place }
    }
    byKey.edit(
      removing: difference.removals,
      inserting: difference.insertions.map { ($0.place, places[$0.element.key] ?? 0) })
    return builder.finish(byKey: byKey)
  }
}

extension Range<Int> {
  /// Returns the first number for which a condition holds, or the end of the range. The condition must also hold for
  /// all larger numbers. It is evaluated O(log n) times.
  @inline(__always)
  func firstPlace(where holds: (Int) throws -> Bool) rethrows -> Int {
    var low = lowerBound
    var high = upperBound
    while low < high {
      let middle = low + (high - low) / 2
      if try holds(middle) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
