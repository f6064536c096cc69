import PredicateSQL
package import StoreModel
package import SQLiteAccess

/// The cheapest strategy of a batch update in the current state of a store.
package struct UpdateStrategy: Hashable, Sendable {
  /// The numbers of matching rows, and of rows whose values would change. The second number is exact if an index
  /// contains an updated column or the caller requested it. Otherwise it is the number of matching rows.
  package let counts: UpdateResult
  /// The indexes of the updated columns, if they are dropped before the update and created again after it. Nil if
  /// SQLite updates the indexes row by row.
  let suspension: IndexSuspension?
  /// Whether SQLite updates indexes row by row, which writes the same pages repeatedly.
  let movesKeys: Bool

  /// If more than 1/10 of the table's rows change, the indexes are dropped and created again, which sorts all keys
  /// once. It is six times as fast if all rows change (Benchmarks/update), and slower for few rows. The limit is an
  /// estimate.
  private static let largestShare: Int64 = 10

  /// - Parameter countsChanges: whether `counts.changed` must be exact, even if no index depends on it.
  /// - Throws: `DatabaseError`
  init(
    _ plan: UpdatePlan, on connection: Connection, countsChanges: Bool = false
  ) throws(DatabaseError) {
    let indexes = try IndexSuspension(
      on: plan.table, columns: Set(plan.columns.map(\.name)), connection)
    // Without indexes, the strategy doesn't depend on the number of changed rows. The update itself returns this
    // number.
    counts = try Self.counts(
      of: plan, comparing: !indexes.indexes.isEmpty || countsChanges, on: connection)
    guard !indexes.indexes.isEmpty else {
      suspension = nil
      movesKeys = false
      return
    }
    // Counting stops at the limit, so it doesn't depend on the size of the table.
    let limit = Int64(counts.changed) * Self.largestShare
    let all = try connection.integer(
      "SELECT COUNT(*) FROM (SELECT 1 FROM \(name: plan.table) LIMIT \(.number(limit)))")
    // If rows exchange unique values, an existing index would reject the first of the changes.
    let mayCollide = counts.changed > 1 && indexes.isUnique
    suspension = mayCollide || all < limit ? indexes : nil
    movesKeys = suspension == nil
  }

  /// Counts the matching rows in one scan.
  ///
  /// - Parameter comparing: whether to also count the rows whose values would change.
  private static func counts(
    of plan: UpdatePlan, comparing: Bool, on connection: Connection
  ) throws(DatabaseError) -> UpdateResult {
    var statement = try connection.prepare(comparing ? plan.census : plan.matchCount)
    guard try statement.step() else { return UpdateResult(matched: 0, changed: 0) }
    let matched = Int(statement.integer(at: 0))
    let firstNull: Int32 = comparing ? 2 : 1
    var becameNull: [String: Int] = [:]
    for (index, nullable) in plan.nullables.enumerated() {
      let count = Int(statement.integer(at: firstNull + Int32(index)))
      if count > 0 { becameNull[nullable.property] = count }
    }
    return UpdateResult(
      matched: matched, changed: comparing ? Int(statement.integer(at: 1)) : matched,
      becameNull: becameNull)
  }

  /// The names of the indexes that are created again.
  package var rebuiltIndexes: [String] { suspension?.indexes.map(\.name) ?? [] }

  /// Returns all statements in the order in which they run, for `explain`.
  package func statements(of plan: UpdatePlan) -> [SQL] {
    (suspension?.dropping ?? []) + plan.statements + (suspension?.rebuilding ?? [])
  }
}
