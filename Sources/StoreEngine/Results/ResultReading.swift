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

/// Finds the places of rows in a list whose order is known, by what they are sorted by.
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

  /// Nil for a row that is not there.
  ///
  /// - Throws: `DatabaseError`; what naming a section throws.
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

  /// Whether one row comes before the other.
  func isOrdered(_ one: Row, _ two: Row) -> Bool {
    for (index, key) in reading.query.order.enumerated() {
      if one.values[index].precedes(two.values[index]) { return key.isAscending }
      if two.values[index].precedes(one.values[index]) { return !key.isAscending }
    }
    return one.key < two.key
  }

  /// The first of some places of a list whose row comes behind the given one.
  mutating func firstPlace(
    behind row: Row, in places: StayingPlaces, from start: Int, of list: MatchedRows
  ) throws -> Int {
    try (start..<places.count).firstPlace { place in
      // One snapshot holds all rows of the list that stay.
      guard let other = try self.row(withKey: list.rows.keys[places[place]]) else { return true }
      return !isOrdered(other, row)
    }
  }
}

/// What has become of the rows of a list, by the difference of two scans. Places are those in the list.
struct ListEdit {
  /// Rows that stay where they are and show other values.
  private(set) var changes: [(place: Int, row: RowScan.Row)] = []
  /// Rows that are gone or have to be put elsewhere, ascending.
  private(set) var departures: [Int]
  /// Rows that are new or have to be put elsewhere.
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

/// The places of the rows that stay in a list, as a collection without gaps.
struct StayingPlaces {
  private let departures: [Int]
  let count: Int

  init(_ edit: ListEdit, of list: MatchedRows) {
    departures = edit.departures
    count = list.count - departures.count
  }

  /// The place of one of them in the list; its end behind the last.
  subscript(index: Int) -> Int {
    index + departures.indices.firstPlace { departures[$0] - $0 > index }
  }
}

/// A list made of the rows of an old one that stay, with others between them.
struct ListComposition {
  /// The first row of the old list that has not been looked at.
  private var next = 0
  private let old: MatchedRows
  private var departures: ArraySlice<Int>
  private var builder: MatchedRowsBuilder
  /// The section of the old list that the next row is in.
  private var section = 0
  /// Where runs of the old list begin, and how far they have moved.
  private var runs: [(start: Int, shift: Int)] = []
  /// Where rows that were put between them are, by key.
  private var places: [Int64: Int] = [:]

  init(_ old: MatchedRows, _ edit: ListEdit, hasSections: Bool) {
    self.old = old
    departures = edit.departures[...]
    builder = MatchedRowsBuilder(
      expecting: old.count - edit.departures.count + edit.arrivals.count, hasSections: hasSections)
  }

  /// Takes the rows of the old list that stay, up to a place.
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

  /// - Parameter difference: from the scan that the old list was made of.
  consuming func finish(_ difference: ScanDifference) -> MatchedRows {
    takeOld(upTo: old.count)
    var byKey = old.byKey.map { place in
      // A row that has gone may stand before all runs.
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
  /// The first place at which a condition holds that holds at all places behind it, too; the end when it
  /// holds nowhere. Asks for O(log n) places.
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
