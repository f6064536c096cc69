import SQLiteAccess
import StoreLayout
import StoreModel
import StorePredicate

/// The places of the members of one row, as they are before an edit.
struct MemberPlaces {
  private let edited: EditedRelationship
  private let connection: Connection
  /// In their order; empty where only the last place was asked for.
  private let members: [(key: Int64, place: Int64?)]
  private let last: Int64?

  /// - Parameter needsAll: else the members can only be added at the end.
  init(
    _ edited: EditedRelationship, on connection: Connection, needsAll: Bool
  ) throws(DatabaseError) {
    self.edited = edited
    self.connection = connection
    let pairs = edited.pairs
    let place: SQL = pairs.place.map { .name($0) } ?? "NULL"
    let source: SQL = "FROM \(name: pairs.table) WHERE \(name: pairs.owner) = \(edited.key)"
    members =
      needsAll
      ? try connection.rows(
        "SELECT \(name: pairs.member), \(place) \(source) ORDER BY 2, 1"
      ).compactMap { row in row[0].integer.map { ($0, row[1].integer) } } : []
    last = try connection.rows("SELECT \(OrderPlaces.last(place)) \(source)").first?[0].integer
  }

  var keys: [Int64] { members.map(\.key) }

  /// Gives rows places behind each other.
  ///
  /// - Parameter position: how many of the other members stand before them; nil for all.
  /// - Throws: `StoreError` where there are not so many.
  func put(_ keys: [Int64], at position: Int?) throws {
    guard let column = edited.pairs.place else { return }
    guard let position else {
      let start = last ?? OrderPlaces.place(at: Int64(-1))
      return try set(keys.indices.map { start + 1024 * Int64($0 + 1) }, of: keys, column)
    }
    let moved = Set(keys)
    let others = members.filter { !moved.contains($0.key) }
    guard (0...others.count).contains(position) else {
      throw ObjectRequestError.position(position, count: others.count, edited.relationship.name)
        .failure
    }
    if let places = Self.places(for: keys.count, in: others.map(\.place), at: position) {
      return try set(places, of: keys, column)
    }
    var all = others.map(\.key)
    all.insert(contentsOf: keys, at: position)
    try setAll(all)
  }

  /// Gives all members the places that those of a new list have.
  func setAll(_ keys: [Int64]) throws(DatabaseError) {
    guard let column = edited.pairs.place else { return }
    try set(keys.indices.map { OrderPlaces.place(at: Int64($0)) }, of: keys, column)
  }

  /// Places between two neighbors; nil where there is no room, or where the neighbors have no places in order.
  private static func places(
    for count: Int, in others: [Int64?], at position: Int
  ) -> [Int64]? {
    let before = position == 0 ? 0 : others[position - 1]
    guard let before, (0...KeyRange.limit).contains(before) else { return nil }
    guard position < others.count else {
      return (1...count).map { before + (position == 0 ? 1024 : 0) + 1024 * Int64($0) }
    }
    guard let after = others[position], after <= KeyRange.limit else { return nil }
    let step = (after - before) / Int64(count + 1)
    return step > 0 ? (1...count).map { before + step * Int64($0) } : nil
  }

  private func set(
    _ places: [Int64], of keys: [Int64], _ column: String
  ) throws(DatabaseError) {
    let pairs = edited.pairs
    let sql: SQL = """
      UPDATE \(name: pairs.table) SET \(name: column) = ? WHERE \(name: pairs.owner) = ? \
      AND \(name: pairs.member) = ?
      """
    var statement = try Statement(sql.rendered().0, on: connection)
    for (key, place) in zip(keys, places) {
      try statement.bind(key: place, at: 1)
      try statement.bind(key: edited.owner.primaryKey, at: 2)
      try statement.bind(key: key, at: 3)
      _ = try statement.step()
      statement.reset()
    }
  }
}
