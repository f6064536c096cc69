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
