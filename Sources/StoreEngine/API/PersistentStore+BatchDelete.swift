import PredicateSQL
import SQLiteAccess
import StoreCore
import StoreLayout
public import StoreModel

extension PersistentStore {
  /// Deletes all rows that match, and the rows that the model's delete rules cascade to. Nullifies references to them.
  ///
  ///     let done = BatchDelete(entity: "Item", predicate: try FormatPredicate(parsing: "done == true"))
  ///     for try await id in try await store.batchDelete(done, returning: .objectIDs) { … }
  ///
  /// - Parameters:
  ///   - request: the rows to delete.
  ///   - author: the author of the change in the persistent history.
  ///   - result: the form of the result. The default is the counts. Object IDs include the deleted rows of all
  ///     entities.
  ///   - progress: is called on another thread with the number of deleted rows: occasionally, after all rows to delete
  ///     are found, and at the end. The request waits for it.
  /// - Throws: `StoreError`: `deletionDenied` if a Deny rule or a required reference prevents the deletion,
  ///   `invalidRequest`, `locked`, `inputOutput`; `CancellationError`. The store is then unchanged.
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

  /// Returns the result that `batchDelete` would have now, without changing the store.
  ///
  /// - Parameter request: the rows to delete.
  /// - Throws: the errors of `batchDelete`, also if a rule prevents the deletion.
  public func dryRun(of request: BatchDelete) async throws -> DeletionResult {
    try await perform(StoreRequest(.dryRun, of: request.entity)) { [self] cancellation, _ in
      let plan = try request.plan(in: layout, storeUUID: store.metadata.uuid)
      return DeletionResult(
        try store.dryRunOfDeletion(plan, in: layout, cancellation: cancellation))
    }
  }
}

/// The result of a batch delete or of its dry run.
public struct DeletionResult: Hashable, Sendable {
  /// The numbers of deleted rows by entity, including the rows that Cascade led to.
  public var deleted: [String: Int]
  /// The numbers of nullified references and of removed memberships of remaining rows, by relationship, such as
  /// `Item.list`.
  public var nullified: [String: Int]
  /// The numbers of references that no longer lead to a row, by relationship. They occur with the rule No Action, or if
  /// rules are ignored.
  public var dangling: [String: Int]
  /// The number of removed external files with deleted values.
  public var files: Int
  /// The names of external files that couldn't be removed, although their rows are deleted.
  public var filesLeft: [String]

  /// The number of deleted rows of all entities.
  public var deletedCount: Int { deleted.values.reduce(0, +) }

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
