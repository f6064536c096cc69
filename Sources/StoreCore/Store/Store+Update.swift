package import SQLiteAccess
package import PredicateSQL
package import StoreDiagnostics
package import StoreLayout
package import StoreModel

extension Store {
  /// Runs a batch update in one transaction: all rows get their values or, when it throws, none.
  ///
  /// - Parameters:
  ///   - keepsKeys: `updatedKeys` is wanted afterwards.
  ///   - expected: how many rows have to change; nil where any number will do.
  ///   - willMake: told of each index that is made again once the rows have changed.
  ///   - progress: called now and then with the rows changed so far, of those that may.
  ///   - then: runs in the transaction, when all rows have their values.
  /// - Throws: `UpdateError` when the rows must not have these values; `UnexpectedCount`; `DatabaseError`.
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

  /// What `update` would do now, and how; nothing is done.
  ///
  /// - Throws: `UpdateError`, `DatabaseError`
  package func dryRun(
    of plan: UpdatePlan, in layout: StoreLayout, cancellation: Cancellation = .ofProcess
  ) throws -> UpdateStrategy {
    try read(cancellation: cancellation) { connection in
      try UpdateRun(plan: plan, layout: layout, connection: connection).dryRun()
    }
  }

  /// How `update` would go about it now.
  ///
  /// - Throws: `DatabaseError`
  package func strategy(for plan: UpdatePlan) throws -> UpdateStrategy {
    try read { try UpdateStrategy(plan, on: $0) }
  }

  /// The object IDs of the rows that the last update with `keepsKeys` has changed.
  package static let updatedKeys = CompiledQuery(
    objectIDs: "SELECT k, e FROM temp.\(name: UpdatePlan.keyTable) ORDER BY k")
}

extension OpenTransaction {
  /// Runs a batch update.
  ///
  /// - Throws: as `Store.update`; what was written must then be taken back.
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
