import StoreLayout
import PredicateSQL
import SQLiteAccess
public import StoreModel
import StoreCore

extension PersistentStore {
  /// Sets new values in all rows that match a predicate. Rows that already have these values aren't written.
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
  ///   - result: what to return. The default is the counts.
  ///   - progress: called on another thread with the number of updated rows, every ten thousand rows and once at the
  ///     end. Its total is the maximum number of rows that may change. The request waits until it returns.
  /// - Returns: the requested form of the result.
  /// - Throws: `StoreError` with the reason `invalidRequest` if the request doesn't fit the model, `invalidData` if the
  ///   model doesn't allow the new value of a row, `notUnique`, `locked`, or `inputOutput`; `CancellationError`. After
  ///   an error the store is unchanged.
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

  /// Returns what `batchUpdate` would do now, without changing the store.
  ///
  /// - Parameter request: the rows and their new values.
  /// - Returns: the counts of `batchUpdate`.
  /// - Throws: the errors of `batchUpdate`, except `notUnique`: a dry run doesn't detect duplicate values.
  public func dryRun(of request: BatchUpdate) async throws -> UpdateResult {
    try await perform(StoreRequest(.dryRun, of: request.entity)) { [self] cancellation, _ in
      let plan = try request.plan(in: layout, storeUUID: store.metadata.uuid)
      return try store.dryRun(of: plan, in: layout, cancellation: cancellation).counts
    }
  }
}

extension PersistentStore {
  /// A closure that collects the keys of rows. Its arguments are a SELECT of key and entity number, and the connection.
  typealias KeyCollector = (SQL, Connection) throws -> Void

  /// Runs a request and returns the requested form of its result.
  ///
  /// - Parameters:
  ///   - run: counts the changed rows.
  ///   - body: runs the request. If keys are requested, it passes them to the collector within the transaction.
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

/// A result that contains the number of changed rows.
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
