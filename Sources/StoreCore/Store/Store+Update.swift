package import SQLiteAccess
package import PredicateSQL
package import StoreDiagnostics
package import StoreLayout
package import StoreModel

extension Store {
  /// Runs a batch update in one transaction: all rows receive their values, or none if it throws.
  ///
  /// - Parameters:
  ///   - keepsKeys: whether the caller uses `updatedKeys` later.
  ///   - expected: the expected number of changed rows, or nil for any number.
  ///   - willMake: is called before each index is created again.
  ///   - progress: is called occasionally with the number of changed rows, and with the maximum number of rows that can
  ///     change as the total.
  ///   - then: is called in the transaction after all rows have their values.
  /// - Throws: `UpdateError` or `MemberCountError` if the rows can't have these values; `UnexpectedCount`;
  ///   `DatabaseError`; an error of `then`.
  package func update(
    by plan: UpdatePlan, in layout: StoreLayout, as origin: HistoryOrigin = .storetool,
    keepsKeys: Bool = false, expected: Int? = nil, cancellation: Cancellation = .ofProcess,
    willMake: @escaping (WorkStep) -> Void = { _ in },
    progress: ((BatchProgress) -> Void)? = nil,
    then: (Connection) throws -> Void = { _ in }
  ) throws -> UpdateResult {
    try transact(as: origin, cancellation: cancellation) { transaction in
      try transaction.update(
        by: plan, in: layout, keepsKeys: keepsKeys, expected: expected, willMake: willMake,
        progress: progress, then: then)
    }.result
  }

  /// Returns the strategy that `update` would use now, with its result, without changing the store.
  ///
  /// - Throws: `UpdateError`, `DatabaseError`
  package func dryRun(
    of plan: UpdatePlan, in layout: StoreLayout, cancellation: Cancellation = .ofProcess
  ) throws -> UpdateStrategy {
    try read(cancellation: cancellation) { connection in
      try UpdateRun(plan: plan, layout: layout, connection: connection).dryRun()
    }
  }

  /// Returns the strategy that `update` would use now.
  ///
  /// - Throws: `DatabaseError`
  package func strategy(for plan: UpdatePlan) throws -> UpdateStrategy {
    try read { try UpdateStrategy(plan, on: $0) }
  }

  /// A query for the object IDs of the rows that the last update with `keepsKeys` changed.
  package static let updatedKeys = CompiledQuery(
    objectIDs: "SELECT k, e FROM temp.\(name: UpdatePlan.keyTable) ORDER BY k")
}

extension OpenTransaction {
  /// Runs a batch update.
  ///
  /// - Throws: `UpdateError`, `MemberCountError`, `UnexpectedCount`, `DatabaseError`; an error of `then`. The changes
  ///   must then be rolled back.
  package func update(
    by plan: UpdatePlan, in layout: StoreLayout, keepsKeys: Bool, expected: Int? = nil,
    willMake: @escaping (WorkStep) -> Void = { _ in }, progress: ((BatchProgress) -> Void)?,
    then: (Connection) throws -> Void
  ) throws -> UpdateResult {
    var run = UpdateRun(
      plan: plan, layout: layout, connection: connection, session: session, keepsKeys: keepsKeys)
    run.willMake = willMake
    let outcome =
      if let progress {
        try reporting(progress, of: &run)
      } else {
        try run.run()
      }
    try UnexpectedCount.refuse(.updatedRows, of: outcome.changed, unless: expected)
    try then(connection)
    return outcome
  }

  private func reporting(
    _ progress: @escaping (BatchProgress) -> Void, of run: inout UpdateRun
  ) throws -> UpdateResult {
    var total: Int?
    run.willChange = { total = $0 }
    return try connection.followingChanges(of: run.plan.table) {
      progress(BatchProgress(rows: $0, total: total))
    } _: {
      try run.run()
    }
  }
}
