package import SQLiteAccess

/// All rows that a request matches, in order, with hashes that detect changes.
struct MatchedRows: Sendable {
  var rows = SectionedRows(keys: [], fingerprints: [], sections: [])
  var names: [String] = []
  /// `Z_ENT` of each row.
  var numbers: [Int64] = []
  /// The positions of the rows, sorted by the rows' keys.
  var byKey: [Int] = []

  var count: Int { rows.count }

  /// Returns the position of the row with a key.
  func place(of key: Int64) -> Int? {
    let place = byKey.indices.firstPlace { rows.keys[byKey[$0]] >= key }
    guard place < byKey.count, rows.keys[byKey[place]] == key else { return nil }
    return byKey[place]
  }

  /// Updates the hashes and entity numbers of the rows at the given positions.
  mutating func apply(_ changes: [(place: Int, row: RowScan.Row)]) {
    for (place, row) in changes {
      rows.fingerprints[place] = row.fingerprint
      numbers[place] = row.number
    }
  }
}

/// The value and the name of a section.
struct Heading: Hashable {
  var value: SQLiteValue
  var name: String

  /// The value and name of the only section in a list without sections.
  static let ofAll = Heading(value: .null, name: "")
}

/// Creates a list by appending rows.
struct MatchedRowsBuilder {
  private var made = MatchedRows()
  private var start = 0
  private var heading: Heading?

  var count: Int { made.count }

  /// - Parameter hasSections: whether the request has sections. Otherwise, the list has one section, even without rows.
  init(expecting count: Int, hasSections: Bool) {
    made.rows.keys.reserveCapacity(count)
    made.rows.fingerprints.reserveCapacity(count)
    made.numbers.reserveCapacity(count)
    if !hasSections { heading = .ofAll }
  }

  /// Begins a section, unless the previous rows belong to it.
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

  /// Appends consecutive rows of another list.
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

/// The keys and hashes of rows in order and in sections, for comparing two states of a list.
package struct SectionedRows: Hashable, Sendable {
  package struct Section: Hashable, Sendable {
    /// The common value of the section's rows, which is unique in the list.
    package var value: SQLiteValue
    package var rows: Range<Int>
  }

  /// `Z_PK` of each row, which is unique in the list.
  package var keys: [Int64]
  /// A hash of the values of each row.
  package var fingerprints: [UInt64]
  /// Consecutive sections that cover all rows.
  package var sections: [Section]

  package var count: Int { keys.count }

  /// Returns the index path of the row at a position in the whole list.
  package func indexPath(at place: Int) -> ResultIndexPath {
    let section = sections.indices.firstPlace { sections[$0].rows.upperBound > place }
    return ResultIndexPath(section: section, row: place - sections[section].rows.lowerBound)
  }
}
