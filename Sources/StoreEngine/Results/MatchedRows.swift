package import SQLiteAccess

/// All rows that match a request, in order, with a fingerprint of their values.
struct MatchedRows: Sendable {
  var rows = SectionedRows(keys: [], fingerprints: [], sections: [])
  /// The names of the sections.
  var names: [String] = []
  /// `Z_ENT` of each row.
  var numbers: [Int64] = []
  /// The positions of the rows, sorted by key.
  var byKey: [Int] = []

  var count: Int { rows.count }

  /// Returns the position of the row with a key.
  func place(of key: Int64) -> Int? {
    let place = byKey.indices.firstPlace { rows.keys[byKey[$0]] >= key }
    guard place < byKey.count, rows.keys[byKey[place]] == key else { return nil }
    return byKey[place]
  }

  /// Replaces rows whose values have changed.
  mutating func apply(_ changes: [(place: Int, row: RowScan.Row)]) {
    for (place, row) in changes {
      rows.fingerprints[place] = row.fingerprint
      numbers[place] = row.number
    }
  }
}

/// The common value and name of a section's rows.
struct Heading: Hashable {
  var value: SQLiteValue
  var name: String

  /// The heading of a list without sections.
  static let ofAll = Heading(value: .null, name: "")
}

/// Collects rows in a list.
struct MatchedRowsBuilder {
  private var made = MatchedRows()
  private var start = 0
  private var heading: Heading?

  var count: Int { made.count }

  /// - Parameter hasSections: a list without sections has one section, even without rows.
  init(expecting count: Int, hasSections: Bool) {
    made.rows.keys.reserveCapacity(count)
    made.rows.fingerprints.reserveCapacity(count)
    made.numbers.reserveCapacity(count)
    if !hasSections { heading = .ofAll }
  }

  /// Begins a section, unless the heading is the current one.
  mutating func begin(_ heading: Heading) {
    guard heading.value != self.heading?.value else { return }
    endSection()
    self.heading = heading
  }

  mutating func append(_ row: RowScan.Row) {
    made.rows.keys.append(row.key)
    made.rows.fingerprints.append(row.fingerprint)
    made.numbers.append(row.number)
  }

  /// Appends a range of rows in another list.
  mutating func append(_ list: MatchedRows, _ places: Range<Int>) {
    made.rows.keys += list.rows.keys[places]
    made.rows.fingerprints += list.rows.fingerprints[places]
    made.numbers += list.numbers[places]
  }

  private mutating func endSection() {
    guard let heading else { return }
    made.rows.sections.append(.init(value: heading.value, rows: start..<made.rows.count))
    made.names.append(heading.name)
    start = made.rows.count
  }

  consuming func finish(byKey: [Int]) -> MatchedRows {
    endSection()
    made.byKey = byKey
    return made
  }
}

/// Rows in their order and sections, as numbers for the comparison of two states.
package struct SectionedRows: Hashable, Sendable {
  package struct Section: Hashable, Sendable {
    /// The common value of its rows. Different sections have different values.
    package var value: SQLiteValue
    package var rows: Range<Int>

    package init(value: SQLiteValue, rows: Range<Int>) {
      self.value = value
      self.rows = rows
    }
  }

  /// The distinct `Z_PK` of the rows.
  package var keys: [Int64]
  /// A fingerprint of each row's values, which changes when one of them changes.
  package var fingerprints: [UInt64]
  /// Adjacent ranges that cover all rows.
  package var sections: [Section]

  package init(keys: [Int64], fingerprints: [UInt64], sections: [Section]) {
    self.keys = keys
    self.fingerprints = fingerprints
    self.sections = sections
  }

  package var count: Int { keys.count }

  /// Returns the index path of the row at a position in the whole list.
  package func indexPath(at place: Int) -> ResultIndexPath {
    let section = sections.indices.firstPlace { sections[$0].rows.upperBound > place }
    return ResultIndexPath(section: section, row: place - sections[section].rows.lowerBound)
  }
}
