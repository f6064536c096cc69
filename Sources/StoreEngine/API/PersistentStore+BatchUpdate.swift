import StoreLayout
import PredicateSQL
import SQLiteAccess
public import StoreModel
import StoreCore

extension PersistentStore {
  /// Sets new values in all rows that match. Rows that already have these values aren't written.
  ///
  ///     let update = BatchUpdate(
  ///       entity: "Item", values: [.init("done", .value(.boolean(true)))],
  ///       predicate: try FormatPredicate(parsing: "priority > 2"))
  ///     let outcome = try await store.batchUpdate(update)
  ///     print(outcome.changed, "of", outcome.matched)
  ///
  /// - Parameters:
  ///   - request: the rows and their new values.
  ///   - author: the author of the change in the persistent history.
  ///   - result: the form of the result. The default is the counts.
  ///   - progress: is called on another thread after each ten thousand rows, with the maximum number of rows that can
  ///     change as the total, and at the end. The request waits for it.
  /// - Throws: `StoreError`: `invalidRequest` for a request that doesn't fit the model, `invalidData` for a row whose
  ///   new value the model doesn't allow, `notUnique`, `locked`, `inputOutput`; `CancellationError`. The store is then
  ///   unchanged.
  @discardableResult
  public func batchUpdate<Returned>(
    _ request: BatchUpdate, author: ChangeAuthor = .storetool,
    returning result: BatchResult<UpdateResult, Returned> = .count,
    progress: (@Sendable (BatchProgress) -> Void)? = nil
  ) async throws -> Returned {
    try await perform(StoreRequest(.batchUpdate, of: request.entity)) { [self] cancellation, run in
      let plan = try request.plan(in: layout, storeUUID: store.metadata.uuid)
      return try finish(result, run) { keep in
        let outcome = try store.update(
          by: plan, in: layout, as: author.origin, keepsKeys: keep != nil,
          cancellation: cancellation, progress: progress
        ) { connection in
          try keep?(Store.updatedKeys.sql, connection)
        }
        progress?(BatchProgress(rows: outcome.changed, total: outcome.changed))
        return outcome
      }
    }
  }

  /// Returns the result that `batchUpdate` would have now, without changing the store.
  ///
  /// - Parameter request: the rows and their new values.
  /// - Throws: the errors of `batchUpdate`, except for violated uniqueness constraints.
  public func dryRun(of request: BatchUpdate) async throws -> UpdateResult {
    try await perform(StoreRequest(.dryRun, of: request.entity)) { [self] cancellation, _ in
      let plan = try request.plan(in: layout, storeUUID: store.metadata.uuid)
      return try store.dryRun(of: plan, in: layout, cancellation: cancellation).counts
    }
  }
}

extension PersistentStore {
  /// Collects the keys of rows from a SELECT of key and entity number.
  typealias KeyCollector = (SQL, Connection) throws -> Void

  /// Runs a request and creates its returned value.
  ///
  /// - Parameters:
  ///   - run: receives the number of changed rows.
  ///   - body: runs the request. If keys are required, it receives a collector, which it must call in the transaction.
  func finish<Summary: RowCounting, Returned>(
    _ result: BatchResult<Summary, Returned>, _ run: RequestRun?,
    _ body: (KeyCollector?) throws -> Summary
  ) throws -> Returned {
    switch result.form {
    case .outcome(let returned):
      let outcome = try body(nil)
      run?.count(rows: outcome.rowCount)
      return returned(outcome)
    case .objectIDs(let returned):
      let kept = KeptKeys(in: self)
      var count = 0
      let outcome = try body { keys, connection in
        count = try kept.fill(with: keys, on: connection)
      }
      run?.count(rows: outcome.rowCount)
      return returned(ObjectIDs(count: count, kept: kept))
    }
  }
}

/// A result with the number of changed rows.
protocol RowCounting {
  var rowCount: Int { get }
}

extension UpdateResult: RowCounting {
  var rowCount: Int { changed }
}

extension DeletionResult: RowCounting {
  var rowCount: Int { deletedCount }
}

extension InsertResult: RowCounting {
  var rowCount: Int { inserted + updated }
}
