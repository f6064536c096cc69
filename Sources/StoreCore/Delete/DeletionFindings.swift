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

/// How the rows of one table are deleted. All ways leave the same rows.
package enum DeletionStrategy: String, Hashable, Sendable, CaseIterable {
  /// `DELETE` without a condition: SQLite frees the pages without looking at the rows.
  case everything
  /// By their keys.
  case keys
  /// By their keys, while the table has no indexes; they are made again afterwards.
  case withoutIndexes = "without indexes"
  /// The rows that stay are put aside and written back into the emptied table.
  case survivors

  /// What the choice rests on.
  package struct Facts: Hashable, Sendable {
    package var rows: Int
    package var deleted: Int
    /// Those that could be dropped for a while.
    package var indexes: Int
    /// They would miss rows that are put aside and written back, or fire for them.
    package var hasTriggers: Bool
  }

  /// The cheapest way, by measurements on tables of a million rows (Benchmarks/README.md).
  package init(_ facts: Facts) {
    if facts.deleted >= facts.rows {
      self = .everything
    } else if facts.deleted < Self.few {
      self = .keys
    } else if !facts.hasTriggers, facts.deleted * 4 >= facts.rows * 3 {
      self = .survivors
    } else if facts.indexes > 0, Self.isLargeShare(facts.deleted, of: facts.rows) {
      self = .withoutIndexes
    } else {
      self = .keys
    }
  }

  /// For so few rows no preparation pays.
  private static let few = 1000

  /// From a tenth of the rows on, sorting all keys anew costs less than moving those few one by one.
  package static func isLargeShare(_ changed: Int, of rows: Int) -> Bool {
    changed >= few && changed * 10 > rows
  }
}
