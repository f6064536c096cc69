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
