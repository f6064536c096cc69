import StoreLayout
import PredicateSQL
import SQLiteAccess
public import StoreModel
import StoreCore

extension PersistentStore {
  /// Gives all rows that match their new values; rows that hold them already are not rewritten.
  ///
  ///     let update = BatchUpdate(
  ///       entity: "Item", values: [.init("done", .value(.boolean(true)))],
  ///       predicate: try FormatPredicate(parsing: "priority > 2"))
  ///     let outcome = try await store.batchUpdate(update)
  ///     print(outcome.changed, "of", outcome.matched)
  ///
  /// - Parameters:
  ///   - request: the rows and their new values.
  ///   - author: who makes the change, for the persistent history.
  ///   - result: what to return; the counts if nothing is said.
  ///   - progress: called on another thread each ten thousand rows, with the rows that may change at
  ///     most as the total, and once at the end. It holds the request up while it runs.
  /// - Throws: `StoreError`: `invalidRequest` for what does not fit the model, `invalidData` for a row
  ///   whose new value the model does not allow, `notUnique`, `locked`, `inputOutput`;
  ///   `CancellationError`. The store is then as it was.
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

  /// What `batchUpdate` would do now. Nothing is changed.
  ///
  /// - Throws: what `batchUpdate` throws, but that it does not find values that would not be unique.
  public func dryRun(of request: BatchUpdate) async throws -> UpdateResult {
    try await perform(StoreRequest(.dryRun, of: request.entity)) { [self] cancellation, _ in
      let plan = try request.plan(in: layout, storeUUID: store.metadata.uuid)
      return try store.dryRun(of: plan, in: layout, cancellation: cancellation).counts
    }
  }
}

extension PersistentStore {
  /// Takes the keys of rows, as a SELECT of key and entity number.
  typealias KeyCollector = (SQL, Connection) throws -> Void

  /// Runs a request and makes what it returns of its outcome.
  ///
  /// - Parameters:
  ///   - run: is told how many rows it has changed.
  ///   - body: is given a collector when the keys are wanted, to be called in the transaction.
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

/// Knows how many rows a request has changed.
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
