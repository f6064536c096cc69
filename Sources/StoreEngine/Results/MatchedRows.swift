/// All rows that a request matches, in order, with what tells whether one has changed.
struct MatchedRows: Sendable {
  var rows = SectionedRows(keys: [], fingerprints: [], sections: [])
  /// The names of the sections.
  var names: [String] = []
  /// `Z_ENT` of each row.
  var numbers: [Int64] = []
  /// What the values that each row is sorted by add up to.
  var orders: [UInt64] = []
  /// The places of the rows, sorted by key.
  var byKey: [Int] = []

  var count: Int { rows.count }

  /// The place of the row with a key.
  func place(of key: Int64) -> Int? {
    let place = byKey.indices.firstPlace { rows.keys[byKey[$0]] >= key }
    guard place < byKey.count, rows.keys[byKey[place]] == key else { return nil }
    return byKey[place]
  }

  /// The same rows in the same order after a scan in which some of them, at `places`, show other values.
  func refreshed(at places: [Int], from merge: ScanMerge, _ scan: RowScan) -> MatchedRows {
    var fresh = self
    for place in places {
      let row = scan.rows[merge.sources[place]]
      fresh.rows.fingerprints[place] = row.fingerprint
      fresh.numbers[place] = row.number
    }
    return fresh
  }
}

/// What rows of a section have in common.
struct Heading: Hashable {
  var value: SQLiteValue
  var name: String

  /// That of all rows of a list without sections.
  static let ofAll = Heading(value: .null, name: "")
}

/// Puts rows of a scan into their order.
struct MatchedRowsBuilder {
  private var made = MatchedRows()
  private let scan: RowScan
  private var start = 0
  private var heading: Heading?

  /// - Parameter hasSections: a list without sections has one, even when it has no rows.
  init(_ scan: RowScan, hasSections: Bool) {
    self.scan = scan
    made.rows.keys.reserveCapacity(scan.count)
    made.rows.fingerprints.reserveCapacity(scan.count)
    made.numbers.reserveCapacity(scan.count)
    made.orders.reserveCapacity(scan.count)
    made.byKey = [Int](repeating: 0, count: scan.count)
    if !hasSections { heading = .ofAll }
  }

  /// Begins a section, unless the rows before are of it.
  mutating func begin(_ heading: Heading) {
    guard heading.value != self.heading?.value else { return }
    endSection()
    self.heading = heading
  }

  mutating func append(_ place: Int) {
    let row = scan.rows[place]
    made.byKey[place] = made.rows.count
    made.rows.keys.append(row.key)
    made.rows.fingerprints.append(row.fingerprint)
    made.numbers.append(row.number)
    made.orders.append(row.order)
  }

  /// Appends rows that stand side by side in another list, and are as they are in the scan.
  ///
  /// - Parameter sources: the place in the scan of each row of that list.
  mutating func append(_ list: MatchedRows, _ places: Range<Int>, from sources: [Int]) {
    for (next, place) in zip(made.rows.count..., places) { made.byKey[sources[place]] = next }
    made.rows.keys += list.rows.keys[places]
    made.rows.fingerprints += list.rows.fingerprints[places]
    made.numbers += list.numbers[places]
    made.orders += list.orders[places]
  }

  private mutating func endSection() {
    guard let heading else { return }
    made.rows.sections.append(.init(value: heading.value, rows: start..<made.rows.count))
    made.names.append(heading.name)
    start = made.rows.count
  }

  consuming func finish() -> MatchedRows {
    endSection()
    return made
  }
}
