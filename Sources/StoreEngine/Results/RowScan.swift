/// The keys and hashes of all rows of a request at the last read, sorted by key. It doesn't contain values.
struct RowScan {
  /// The key and entity of a row, and hashes of its values and its sort values.
  struct Row: Hashable {
    var key: Int64
    var number: Int64
    var fingerprint: UInt64
    var order: UInt64
  }

  private(set) var rows: [Row] = []

  var count: Int { rows.count }

  func place(of key: Int64) -> Int? {
    let place = rows.indices.firstPlace { rows[$0].key >= key }
    return place < rows.count && rows[place].key == key ? place : nil
  }

  /// Applies a difference, which results in the newer scan.
  mutating func apply(_ difference: ScanDifference) {
    for (place, row) in difference.changes { rows[place] = row }
    rows.edit(removing: difference.removals, inserting: difference.insertions)
  }
}

/// The difference between two scans. Positions refer to the old scan.
struct ScanDifference {
  /// A new row and the position of the row that it precedes.
  typealias Insertion = (place: Int, element: RowScan.Row)

  var removals: [Int] = []
  var insertions: [Insertion] = []
  /// Rows that are in both scans and differ.
  var changes: [(place: Int, row: RowScan.Row)] = []

  var isEmpty: Bool { removals.isEmpty && insertions.isEmpty && changes.isEmpty }
}

extension Array {
  /// Removes the elements at the positions `removals`, and inserts elements before the positions in `insertions`. Both
  /// lists are in ascending order and refer to the array before the changes.
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
