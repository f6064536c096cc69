import PredicateSQL
import SQLiteAccess
import StoreCore
import StoreLayout
import StoreModel
import StorePredicate

/// A change of the members of one row in a write transaction.
///
/// A temporary table contains the rows to add, remove or move, so that each step is one statement.
struct MemberEdit {
  enum Kind {
    /// Adds rows at the end or before the member at a position.
    case add(at: Int?)
    case remove
    /// Moves rows to the position after the given number of other members.
    case move(to: Int)
    /// Replaces all members. The new members are in the given order.
    case replace
  }

  let edited: EditedRelationship
  let layout: StoreLayout
  /// The UUID of the store.
  let store: String
  let connection: Connection
  let session: HistorySession

  /// The temporary table with the keys and entity numbers of the rows, in the requested order.
  static let table = "storetool_member"
  var keys: SQL { "SELECT k FROM temp.\(name: Self.table)" }

  /// - Parameter members: the rows to add, remove or move, or the new members. Duplicates are ignored.
  /// - Returns: the number of rows that were added, removed or moved. `replace` doesn't count moved rows.
  /// - Throws: `StoreError`, `UpdateError`, `MemberCountError`, `DatabaseError`. This part of the transaction must then
  ///   be rolled back.
  func run(_ kind: Kind, _ members: [ObjectID]) throws -> Int {
    try requireOwner()
    try fill(members)
    let counts = try MemberCountWatch(
      edited.memberCountRules(in: layout), in: layout, on: connection)
    let changes = try ChangeRecorder(in: layout, on: connection, session: session)
    let links = MemberLinks(edit: self, changes: changes)
    let count: Int
    switch kind {
    case .add(let position): count = try add(at: position, links)
    case .remove:
      try keep("IN")
      count = try wantedKeys().isEmpty ? 0 : links.remove()
    case .move(let position): count = try move(members, to: position, links)
    case .replace: count = try replace(members, links)
    }
    try counts.check()
    try changes.finish()
    try connection.run("DROP TABLE temp.\(name: Self.table)")
    return count
  }

  // MARK: Kinds

  private func add(at position: Int?, _ links: MemberLinks) throws -> Int {
    if position != nil { try requireOrder() }
    try keep("NOT IN")
    let new = try wantedKeys()
    guard !new.isEmpty else { return 0 }
    let places = try MemberPlaces(edited, on: connection, needsAll: position != nil)
    _ = try links.add()
    try places.put(new, at: position)
    return new.count
  }

  private func move(_ members: [ObjectID], to position: Int, _ links: MemberLinks) throws -> Int {
    try requireOrder()
    let moved = try wantedKeys()
    try keep("IN")
    if let stranger = Set(moved).subtracting(try wantedKeys()).min(),
      let id = members.first(where: { $0.primaryKey == stranger })
    {
      throw StoreError.noMember(id, edited.relationship.name)
    }
    guard !moved.isEmpty else { return 0 }
    try links.touchOwner()
    try MemberPlaces(edited, on: connection, needsAll: true).put(moved, at: position)
    return moved.count
  }

  private func replace(_ members: [ObjectID], _ links: MemberLinks) throws -> Int {
    let wanted = try wantedKeys()
    let places = try MemberPlaces(edited, on: connection, needsAll: true)
    let isSame =
      edited.members.orderColumn == nil ? Set(places.keys) == Set(wanted) : places.keys == wanted
    guard !isSame else { return 0 }
    let present = Set(places.keys)
    // The temporary table first contains the rows to remove, then the rows to add.
    try connection.run("DELETE FROM temp.\(name: Self.table)")
    try insert(present.subtracting(wanted).sorted())
    let removed = try links.remove()
    try connection.run("DELETE FROM temp.\(name: Self.table)")
    try insert(wanted.filter { !present.contains($0) })
    let added = try links.add()
    if removed + added == 0 { try links.touchOwner() }
    try places.setAll(wanted)
    return removed + added
  }

  // MARK: Rows

  /// - Throws: `StoreError` if the owner doesn't exist, `UpdateError` if it belongs to another store.
  private func requireOwner() throws {
    try requireOwnStore(edited.owner)
    let found = try connection.integer(
      """
      SELECT count(*) FROM \(name: edited.ownerPlace.table) \
      WHERE \(name: FixedColumn.primaryKey) = \(edited.key) \
      AND \(name: FixedColumn.entity) = \(.number(edited.ownerPlace.number))
      """)
    guard found > 0 else { throw StoreError.noObject(edited.owner) }
  }

  private func requireOwnStore(_ id: ObjectID) throws(UpdateError) {
    guard let other = id.store, other.uppercased() != store.uppercased() else { return }
    throw .value(property: edited.relationship.name, shown: id.uri, .foreignStore(other))
  }

  private func requireOrder() throws {
    guard edited.relationship.isOrdered else {
      throw StoreError.notOrdered(edited.relationship.name, entity: edited.owner.entity)
    }
  }

  /// - Throws: `UpdateError` if a row doesn't exist or can't be a member.
  private func fill(_ members: [ObjectID]) throws {
    try connection.run("DROP TABLE IF EXISTS temp.\(name: Self.table)")
    try connection.run(
      "CREATE TEMP TABLE \(name: Self.table) (n INTEGER PRIMARY KEY, k INTEGER UNIQUE, e INTEGER)")
    let numbers = Dictionary(
      edited.destination.subtree.compactMap { layout.entity(numbered: $0) }
        .map { ($0.name, $0.number) }, uniquingKeysWith: { first, _ in first })
    var adding = try Statement(
      "INSERT OR IGNORE INTO temp.storetool_member (k, e) VALUES (?, ?)", on: connection)
    for id in members {
      try requireOwnStore(id)
      guard let number = numbers[id.entity] else {
        throw UpdateError.value(
          property: edited.relationship.name, shown: id.uri,
          .wrongDestination(id.entity, expected: numbers.keys.sorted()))
      }
      try adding.run([id.primaryKey, number])
    }
    let missing = try connection.rows(
      """
      SELECT k, e FROM temp.\(name: Self.table) AS m WHERE NOT EXISTS \
      (SELECT 1 FROM \(name: edited.destination.table) AS d \
      WHERE d.\(name: FixedColumn.primaryKey) = m.k AND d.\(name: FixedColumn.entity) = m.e) LIMIT 1
      """)
    guard let row = missing.first, let key = row[0].integer, let number = row[1].integer else {
      return
    }
    throw UpdateError.missingDestination(
      property: edited.relationship.name,
      destination: layout.entity(numbered: number)?.name ?? edited.destination.name, key: key)
  }

  private func insert(_ keys: [Int64]) throws(DatabaseError) {
    var adding = try Statement(
      "INSERT INTO temp.storetool_member (k) VALUES (?)", on: connection)
    for key in keys { try adding.run([key]) }
  }

  /// Restricts the temporary table to rows that are members (`IN`), or to rows that aren't (`NOT IN`).
  private func keep(_ test: SQL) throws(DatabaseError) {
    try connection.run(
      """
      DELETE FROM temp.\(name: Self.table) WHERE NOT (k \(test) (\(edited.memberKeys)))
      """)
  }

  private func wantedKeys() throws(DatabaseError) -> [Int64] {
    try connection.rows("SELECT k FROM temp.\(name: Self.table) ORDER BY n")
      .compactMap { $0[0].integer }
  }
}

/// The positions of the members of one row before an edit.
struct MemberPlaces {
  private let edited: EditedRelationship
  private let connection: Connection
  /// The members in order. Empty if only the last position was read.
  private let members: [(key: Int64, place: Int64?)]
  private let last: Int64?

  /// - Parameter needsAll: false if members are only added at the end.
  init(
    _ edited: EditedRelationship, on connection: Connection, needsAll: Bool
  ) throws(DatabaseError) {
    self.edited = edited
    self.connection = connection
    let pairs = edited.pairs
    let place: SQL = edited.members.orderColumn.map { .name($0) } ?? "NULL"
    let source: SQL = "FROM \(name: pairs.table) WHERE \(name: pairs.owner) = \(edited.key)"
    members =
      needsAll
      ? try connection.rows(
        "SELECT \(name: pairs.member), \(place) \(source) ORDER BY 2, 1"
      ).compactMap { row in row[0].integer.map { ($0, row[1].integer) } } : []
    last = try connection.rows("SELECT \(OrderPlaces.last(place)) \(source)").first?[0].integer
  }

  var keys: [Int64] { members.map(\.key) }

  /// Stores positions for rows, so that they follow one another.
  ///
  /// - Parameter position: the number of other members that precede the rows. Nil places the rows at the end.
  /// - Throws: `StoreError` if there are fewer members.
  func put(_ keys: [Int64], at position: Int?) throws {
    guard let column = edited.members.orderColumn else { return }
    guard let position else {
      let start = last ?? OrderPlaces.place(at: Int64(-1))
      return try set(keys.indices.map { start + 1024 * Int64($0 + 1) }, of: keys, column)
    }
    let moved = Set(keys)
    let others = members.filter { !moved.contains($0.key) }
    guard (0...others.count).contains(position) else {
      throw StoreError.noPosition(position, count: others.count, edited.relationship.name)
    }
    if let places = Self.places(for: keys.count, in: others.map(\.place), at: position) {
      return try set(places, of: keys, column)
    }
    var all = others.map(\.key)
    all.insert(contentsOf: keys, at: position)
    try setAll(all)
  }

  /// Stores new positions for all members, in the order of `keys`.
  func setAll(_ keys: [Int64]) throws(DatabaseError) {
    guard let column = edited.members.orderColumn else { return }
    try set(keys.indices.map { OrderPlaces.place(at: Int64($0)) }, of: keys, column)
  }

  /// Returns `count` numbers between the positions of the members before and after an insertion. Returns nil if there
  /// are too few numbers, or if these positions are missing or out of order.
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
      try statement.run([place, edited.owner.primaryKey, key])
    }
  }
}
