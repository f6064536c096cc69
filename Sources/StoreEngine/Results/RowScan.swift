/// All rows of a request as numbers, by key, as they were when they were last read. No value of a row is kept.
struct RowScan {
  /// One row: its key, its entity, and what its values, and those that it is sorted by, add up to.
  struct Row: Hashable {
    var key: Int64
    var number: Int64
    var fingerprint: UInt64
    var order: UInt64
  }

  private(set) var rows: [Row]

  init(rows: [Row] = []) {
    self.rows = rows
  }

  var count: Int { rows.count }

  /// The place of a key.
  func place(of key: Int64) -> Int? {
    let place = rows.indices.firstPlace { rows[$0].key >= key }
    return place < rows.count && rows[place].key == key ? place : nil
  }

  /// Becomes the scan that the difference is to.
  mutating func apply(_ difference: ScanDifference) {
    for (place, row) in difference.changes { rows[place] = row }
    rows.edit(removing: difference.removals, inserting: difference.insertions)
  }
}

/// What one scan says that the one before did not. Places are those in the old one.
struct ScanDifference {
  /// A row that is new, and the place of the row that it comes before.
  typealias Insertion = (place: Int, element: RowScan.Row)

  var removals: [Int] = []
  var insertions: [Insertion] = []
  /// Rows that are in both and of which a number is another one.
  var changes: [(place: Int, row: RowScan.Row)] = []

  var isEmpty: Bool { removals.isEmpty && insertions.isEmpty && changes.isEmpty }
}

extension Array {
  /// Removes the elements at some places, and inserts others before those at some places; all ascending.
  mutating func edit(
    removing removals: [Int], inserting insertions: [(place: Int, element: Element)]
  ) {
    guard !removals.isEmpty || !insertions.isEmpty else { return }
    var edited: [Element] = []
    edited.reserveCapacity(count - removals.count + insertions.count)
    var next = 0
    var removals = removals[...]
    func keep(upTo end: Int) {
      while let removal = removals.first, removal < end {
        edited += self[next..<removal]
        next = removal + 1
        removals.removeFirst()
      }
      edited += self[next..<end]
      next = end
    }
    for (place, element) in insertions {
      keep(upTo: place)
      edited.append(element)
    }
    keep(upTo: count)
    self = edited
  }
}
