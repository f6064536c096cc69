package import SQLiteAccess
import StoreLayout

/// Hands out primary keys within one write transaction, and writes down the highest ones at its end.
///
/// All writers of a transaction share one, since the entities of a tree share their root's numbers.
package final class KeyAllocator {
  private let connection: Connection
  /// By the number of the root entity.
  private var highest: [Int64: Int64] = [:]
  /// What `highest` was at first.
  private var before: [Int64: Int64] = [:]

  package init(_ connection: Connection) {
    self.connection = connection
  }

  /// The highest key that is taken in the table of the plan's entity.
  package func lastKey(for plan: InsertPlan) throws(DatabaseError) -> Int64 {
    if let known = highest[plan.rootNumber] { return known }
    let last = try connection.highestKey(ofEntity: plan.rootNumber, in: plan.table)
    guard last <= KeyRange.limit else {
      throw .damaged(
        path: connection.path, message: "Z_PRIMARYKEY has no keys left for '\(plan.root)'")
    }
    highest[plan.rootNumber] = last
    before[plan.rootNumber] = last
    return last
  }

  /// Notes that the keys up to `key` are taken.
  package func take(upTo key: Int64, for plan: InsertPlan) {
    highest[plan.rootNumber] = key
  }

  /// The highest key of a root's rows before this transaction.
  package func lastOldKey(root: Int64) -> Int64 { before[root] ?? .max }

  /// Takes back the keys above those of the rows that there are.
  package func release(for plan: InsertPlan) throws(DatabaseError) {
    guard let old = before[plan.rootNumber] else { return }
    highest[plan.rootNumber] = max(old, try connection.highestKey(in: plan.table))
  }

  /// Whether a key was handed out in this transaction.
  package func isNew(_ key: Int64, root: Int64) -> Bool {
    before[root].map { key > $0 } ?? false
  }

  /// Writes the highest keys into `Z_PRIMARYKEY`.
  package func record() throws(DatabaseError) {
    for (root, key) in highest.sorted(by: { $0.key < $1.key }) {
      try connection.run(
        """
        UPDATE \(name: FixedTable.primaryKeys) \
        SET \(name: FixedColumn.highestKey) = \(value: .integer(key)) \
        WHERE \(name: FixedColumn.entity) = \(value: .integer(root)) \
        AND \(name: FixedColumn.highestKey) < \(value: .integer(key))
        """)
    }
  }
}

extension Connection {
  /// The highest key that an entity has handed out, or that a row of its table has: the counter may have been edited by
  /// hand, and keys of deleted rows are never used again.
  func highestKey(ofEntity number: Int64, in table: String) throws(DatabaseError) -> Int64 {
    let counted = try integer(
      """
      SELECT \(name: FixedColumn.highestKey) FROM \(name: FixedTable.primaryKeys) \
      WHERE \(name: FixedColumn.entity) = \(value: .integer(number))
      """)
    return max(counted, try highestKey(in: table))
  }

  func highestKey(in table: String) throws(DatabaseError) -> Int64 {
    try integer("SELECT max(\(name: FixedColumn.primaryKey)) FROM \(name: table)")
  }
}
