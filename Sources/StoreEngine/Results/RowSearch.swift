import SQLiteAccess

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
