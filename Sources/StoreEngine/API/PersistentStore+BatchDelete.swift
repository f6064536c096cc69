import PredicateSQL
import SQLiteAccess
import StoreCore
import StoreLayout
public import StoreModel

extension PersistentStore {
  /// Deletes all rows that match, with those that the model's delete rules take along, and clears what
  /// refers to them.
  ///
  ///     let done = BatchDelete(entity: "Item", predicate: try FormatPredicate(parsing: "done == true"))
  ///     for try await id in try await store.batchDelete(done, returning: .objectIDs) { … }
  ///
  /// - Parameters:
  ///   - request: the rows to delete.
  ///   - author: who makes the change, for the persistent history.
  ///   - result: what to return; the counts if nothing is said. Object IDs are those of all deleted
  ///     rows, of every entity.
  ///   - progress: called on another thread now and then with the rows deleted so far, when all that go
  ///     are found, and once at the end. It holds the request up while it runs.
  /// - Throws: `StoreError`: `deletionDenied` when a rule Deny or a reference that must not be nil
  ///   forbids it, `invalidRequest`, `locked`, `inputOutput`; `CancellationError`. The store is then as
  ///   it was.
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

  /// What `batchDelete` would do now. Nothing is changed.
  ///
  /// - Throws: what `batchDelete` throws, also when the deletion is forbidden.
  public func dryRun(of request: BatchDelete) async throws -> DeletionResult {
    try await perform(StoreRequest(.dryRun, of: request.entity)) { [self] cancellation, _ in
      let plan = try request.plan(in: layout, storeUUID: store.metadata.uuid)
      return DeletionResult(
        try store.dryRunOfDeletion(plan, in: layout, cancellation: cancellation))
    }
  }
}

/// What a batch delete has done, or would do.
public struct DeletionResult: Hashable, Sendable {
  /// Rows deleted, by entity: those that matched and those that Cascade led to.
  public var deleted: [String: Int]
  /// References of rows that stay and that became nil, and memberships that ended, by relationship:
  /// `Item.list`.
  public var nullified: [String: Int]
  /// References that lead to no row now, by relationship: of the rule No Action, or without rules.
  public var dangling: [String: Int]
  /// Files of deleted values that lay beside the store and were removed.
  public var files: Int
  /// Names of such files that could not be removed; the rows are gone all the same.
  public var filesLeft: [String]

  /// Rows deleted, of all entities together.
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
