package import StoreModel
package import SQLiteAccess

/// How a batch update is best done in a store as it is now, chosen by cost.
package struct UpdateStrategy: Hashable, Sendable {
  /// Rows that match, and those among them that hold other values; where no index depends on that
  /// and it was not asked for, all that match.
  package let counts: UpdateResult
  /// Indexes over the updated columns that are made anew afterwards: nil when they move along.
  let suspension: IndexSuspension?
  /// Keys move in indexes that stay, which touches the same pages again and again.
  let movesKeys: Bool

  /// An index whose rows change in a larger part than this is dropped and built again, which sorts
  /// all its keys once: six times as fast where all rows change (Benchmarks/update), and slower for
  /// few. Where the two meet is an estimate.
  private static let largestShare = 10

  /// - Parameter countsChanges: whether `counts.changed` must be right, though no index needs it.
  /// - Throws: `DatabaseError`
  init(
    _ plan: UpdatePlan, on connection: Connection, countsChanges: Bool = false
  ) throws(DatabaseError) {
    let indexes = try IndexSuspension(
      on: plan.table, columns: Set(plan.columns.map(\.name)), connection)
    // Without indexes the update itself counts the rows that differ.
    counts = try Self.counts(
      of: plan, comparing: !indexes.indexes.isEmpty || countsChanges, on: connection)
    guard !indexes.indexes.isEmpty else {
      suspension = nil
      movesKeys = false
      return
    }
    let all = try Int(connection.integer("SELECT COUNT(*) FROM \(name: plan.table)"))
    // Unique values may trade places, which an index that is there would refuse row by row.
    let mayCollide = counts.changed > 1 && indexes.isUnique
    let isLarge = counts.changed > all / Self.largestShare
    suspension = mayCollide || isLarge && counts.changed > 0 ? indexes : nil
    movesKeys = suspension == nil
  }

  /// One scan of the rows that match.
  ///
  /// - Parameter comparing: whether the rows that hold other values are counted, too.
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

  /// The names of the indexes that are made anew.
  package var rebuiltIndexes: [String] { suspension?.indexes.map(\.name) ?? [] }

  /// All statements, in their order: what `explain` shows.
  package func statements(of plan: UpdatePlan) -> [SQL] {
    (suspension?.dropping ?? []) + plan.statements + (suspension?.rebuilding ?? [])
  }
}
