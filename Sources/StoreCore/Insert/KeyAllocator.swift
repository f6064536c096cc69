package import SQLiteAccess
import StoreLayout

/// Allocates primary keys in a write transaction, and records the highest ones at its end.
///
/// All writers of a transaction share one allocator, because all entities of a hierarchy take their keys from the
/// counter of the root entity.
package final class KeyAllocator {
  private let connection: Connection
  /// The highest used key of each hierarchy, by the number of the root entity.
  private var highest: [Int64: Int64] = [:]
  /// The highest key that each hierarchy had used before the transaction, by the number of the root entity.
  private var before: [Int64: Int64] = [:]

  package init(_ connection: Connection) {
    self.connection = connection
  }

  /// Returns the highest key that was ever used in the hierarchy of the plan's entity, including keys that this
  /// transaction allocated.
  package func lastKey(for plan: InsertPlan) throws(DatabaseError) -> Int64 {
    if let known = highest[plan.rootNumber] { return known }
    let last = try connection.highestKey(ofEntity: plan.rootNumber, in: plan.table)
    guard last <= KeyRange.limit else {
      throw .damaged(
        path: connection.path,
        message: "the highest key of '\(plan.root)' is too large for further rows")
    }
    highest[plan.rootNumber] = last
    before[plan.rootNumber] = last
    return last
  }

  /// Marks the keys up to `key` as used.
  package func take(upTo key: Int64, for plan: InsertPlan) {
    highest[plan.rootNumber] = key
  }

  /// Returns the highest key that the hierarchy had used before this transaction, or `Int64.max` if `lastKey` wasn't
  /// called for it.
  package func lastOldKey(root: Int64) -> Int64 { before[root] ?? .max }

  /// Frees the allocated keys that are higher than every key in the table, so that they can be allocated again.
  package func release(for plan: InsertPlan) throws(DatabaseError) {
    guard let old = before[plan.rootNumber] else { return }
    highest[plan.rootNumber] = max(old, try connection.highestKey(in: plan.table))
  }

  /// Returns whether a key was allocated in this transaction.
  package func isNew(_ key: Int64, root: Int64) -> Bool {
    before[root].map { key > $0 } ?? false
  }

  /// Writes the highest keys to `Z_PRIMARYKEY`.
  package func record() throws(DatabaseError) {
    for (root, key) in highest.sorted(by: { $0.key < $1.key }) {
      try connection.runKept(
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
  /// Returns the maximum of the entity's counter and of the keys in its table. The counter alone can be too low if it
  /// was edited manually, and the rows alone don't contain the keys of deleted rows, which are never reused.
  func highestKey(ofEntity number: Int64, in table: String) throws(DatabaseError) -> Int64 {
    let keys = try keptIntegers(
      """
      SELECT (SELECT \(name: FixedColumn.highestKey) FROM \(name: FixedTable.primaryKeys) \
      WHERE \(name: FixedColumn.entity) = \(value: .integer(number))), \
      (SELECT max(\(name: FixedColumn.primaryKey)) FROM \(name: table))
      """, count: 2)
    return max(keys[0], keys[1])
  }

  package func highestKey(in table: String) throws(DatabaseError) -> Int64 {
    try integer("SELECT max(\(name: FixedColumn.primaryKey)) FROM \(name: table)")
  }
}
