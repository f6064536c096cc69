/// What a deletion meets in a store, once all rows that go are known.
package struct DeletionFindings: Hashable, Sendable {
  /// One table that loses rows.
  package struct TableWork: Hashable, Sendable {
    package var table: String
    /// All that it has.
    package var rows: Int
    package var deleted: Int
    package var way: DeletionStrategy
    var suspension: IndexSuspension
  }

  /// Rows that go, by entity.
  package internal(set) var deleted: [String: Int] = [:]
  /// References of rows that stay and that become NULL, or pairs that vanish: by relationship.
  package internal(set) var nullified: [String: Int] = [:]
  /// References that will lead to no row: by relationship.
  package internal(set) var dangling: [String: Int] = [:]
  package internal(set) var tables: [TableWork] = []
  /// Indexes that are dropped while references become NULL, by table.
  var suspensions: [String: IndexSuspension] = [:]
  private var counts: [String: Int] = [:]

  package var deletedCount: Int { deleted.values.reduce(0, +) }

  /// Keys move in indexes that stay, which touches the same pages again and again.
  var movesKeys: Bool {
    tables.contains { $0.way == .keys && !$0.suspension.indexes.isEmpty }
      || !nullified.isEmpty && suspensions.isEmpty
  }

  func count(in table: String) -> Int { tables.first { $0.table == table }?.deleted ?? 0 }

  func count(of reference: Reference) -> Int { counts[reference.name] ?? 0 }

  func count(of membership: Membership) -> Int { counts[membership.name] ?? 0 }

  mutating func note(_ count: Int, of name: String, dangles: Bool) {
    guard count > 0 else { return }
    counts[name] = count
    if dangles { dangling[name] = count } else { nullified[name] = count }
  }
}
