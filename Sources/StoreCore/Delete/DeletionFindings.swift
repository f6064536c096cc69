/// The effect of a deletion before it runs: the numbers of rows and references, and the strategy for each table.
package struct DeletionFindings: Hashable, Sendable {
  /// A table from which rows are deleted.
  package struct TableWork: Hashable, Sendable {
    package var table: String
    /// The total number of rows in the table in a dry run or if many rows are deleted, otherwise at most one more than
    /// the number of deleted rows.
    package var rows: Int
    package var deleted: Int
    package var way: DeletionStrategy
    var suspension: IndexSuspension
  }

  /// The numbers of deleted rows, by entity name.
  package internal(set) var deleted: [String: Int] = [:]
  /// The numbers of references that become NULL and of removed links, by relationship, such as `Item.list`.
  package internal(set) var nullified: [String: Int] = [:]
  /// The numbers of references to deleted rows that aren't removed, by relationship.
  package internal(set) var dangling: [String: Int] = [:]
  package internal(set) var tables: [TableWork] = []
  /// The indexes that are dropped while references become NULL, by table.
  var suspensions: [String: IndexSuspension] = [:]
  private var counts: [String: Int] = [:]

  package var deletedCount: Int { deleted.values.reduce(0, +) }

  /// Whether SQLite probably updates many index entries row by row, which writes the same pages repeatedly.
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

/// The strategy for deleting the rows of a table. All strategies have the same result.
package enum DeletionStrategy: String, Hashable, Sendable, CaseIterable {
  /// `DELETE` without a condition. If the table has no triggers, SQLite frees the pages without visiting each row.
  case everything
  /// The rows are deleted by their keys.
  case keys
  /// The rows are deleted by their keys. The table's indexes are dropped first and created again afterwards.
  case withoutIndexes = "without indexes"
  /// The remaining rows are copied and inserted again after the table is emptied.
  case survivors

  /// The properties of a table and a deletion that determine the strategy.
  package struct Facts: Hashable, Sendable {
    package var rows: Int
    package var deleted: Int
    /// The number of indexes that can be dropped temporarily.
    package var indexes: Int
    /// Whether there are triggers, which would run for rows that are copied and inserted again.
    package var hasTriggers: Bool
  }

  /// Selects the cheapest strategy, according to measurements on tables of a million rows (Benchmarks/README.md).
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

  /// The number of rows below which dropping indexes or copying rows takes longer than it saves.
  static let few = 1000

  /// Returns whether creating an index again takes less time than changing its entries one by one. This is the case if
  /// at least 1000 rows and more than a tenth of all rows change.
  package static func isLargeShare(_ changed: Int, of rows: Int) -> Bool {
    changed >= few && changed * 10 > rows
  }
}
