import PredicateSQL
import SQLiteAccess
import StoreCore
import StoreLayout
public import StoreModel

extension PersistentStore {
  /// Deletes all rows that match a predicate, applies the model's delete rules, and clears references to the deleted
  /// rows.
  ///
  ///     let done = BatchDelete(entity: "Item", predicate: try FormatPredicate(parsing: "done == true"))
  ///     for try await id in try await store.batchDelete(done, returning: .objectIDs) { … }
  ///
  /// - Parameters:
  ///   - request: the rows to delete.
  ///   - author: the author of the change in the persistent history.
  ///   - result: what to return. The default is the counts. `.objectIDs` returns the IDs of all deleted rows, of all
  ///     entities.
  ///   - progress: called on another thread with the number of deleted rows, repeatedly while rows are deleted, and
  ///     once at the end. The request waits until it returns.
  /// - Returns: the requested form of the result.
  /// - Throws: `StoreError` with the reason `deletionDenied` if the rule Deny, a required reference or a minimum number
  ///   of members forbids the deletion, `invalidRequest`, `locked`, or `inputOutput`; `CancellationError`. After an
  ///   error the store is unchanged.
  @discardableResult
  public func batchDelete<Returned>(
    _ request: BatchDelete, author: ChangeAuthor = .storetool,
    returning result: BatchResult<DeletionResult, Returned> = .count,
    progress: (@Sendable (BatchProgress) -> Void)? = nil
  ) async throws -> Returned {
    try await perform(StoreRequest(.batchDelete, of: request.entity)) { [self] cancellation, run in
      let plan = try request.plan(
        in: layout, storeUUID: store.metadata.uuid, knowsKeys: result.keepsKeys)
      return try finish(result, run) { keep in
        let report = try store.delete(
          plan, in: layout, as: author.origin, cancellation: cancellation,
          progress: { progress?($0) }
        ) { connection in
          try keep?(store.deletedObjectIDs(of: plan).sql, connection)
        }
        let count = report.findings.deletedCount
        progress?(BatchProgress(rows: count, total: count))
        return DeletionResult(report)
      }
    }
  }

  /// Returns what `batchDelete` would do now, without changing the store.
  ///
  /// - Parameter request: the rows to delete.
  /// - Returns: the counts of `batchDelete`.
  /// - Throws: `StoreError` with the reason `deletionDenied` if a delete rule, a required reference or a minimum number
  ///   of members forbids the deletion, `invalidRequest` if the request doesn't fit the model, `locked`, or
  ///   `inputOutput`; `CancellationError`.
  public func dryRun(of request: BatchDelete) async throws -> DeletionResult {
    try await perform(StoreRequest(.dryRun, of: request.entity)) { [self] cancellation, _ in
      let plan = try request.plan(in: layout, storeUUID: store.metadata.uuid)
      return DeletionResult(
        try store.dryRunOfDeletion(plan, in: layout, cancellation: cancellation))
    }
  }
}

/// The result of a batch delete, or of its dry run.
public struct DeletionResult: Hashable, Sendable {
  /// The number of deleted rows by entity: the matching rows, and the rows that the rule Cascade reached.
  public var deleted: [String: Int]
  /// The number of references that became nil and of memberships that ended, by relationship (`Item.list`).
  public var nullified: [String: Int]
  /// The number of references to deleted rows that remain, by relationship. The rule No Action, or deleting without
  /// rules, causes them.
  public var dangling: [String: Int]
  /// The number of files of deleted values that were removed from the store's external folder.
  public var files: Int
  /// The names of files of deleted values that couldn't be removed.
  public var filesLeft: [String]

  /// The number of deleted rows of all entities.
  public var deletedCount: Int { deleted.values.reduce(0, +) }

  /// Creates a result.
  ///
  /// - Parameters:
  ///   - deleted: the number of deleted rows by entity.
  ///   - nullified: the number of references and memberships that ended, by relationship.
  ///   - dangling: the number of references to deleted rows that remain, by relationship.
  ///   - files: the number of removed files.
  ///   - filesLeft: the names of files that couldn't be removed.
  public init(
    deleted: [String: Int], nullified: [String: Int] = [:], dangling: [String: Int] = [:],
    files: Int = 0, filesLeft: [String] = []
  ) {
    self.deleted = deleted
    self.nullified = nullified
    self.dangling = dangling
    self.files = files
    self.filesLeft = filesLeft
  }

  init(_ report: Store.DeletionReport) {
    self.init(
      deleted: report.findings.deleted, nullified: report.findings.nullified,
      dangling: report.findings.dangling, files: report.files, filesLeft: report.filesLeft)
  }
}
