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
