public import StoreModel
public import StorePredicate

/// A deletion on its way to the rows of a type.
///
/// Object IDs that it returns are those of all rows that went, of every entity: the delete rules may take
/// others along. `Item.ID(id)` is nil for these.
public struct TypedBatchDelete<Object: StoredObject>: Sendable {
  let store: PersistentStore
  let author: ChangeAuthor
  /// Of all rows.
  public private(set) var request: BatchDelete

  /// Leaves out rows of entities that inherit from this one.
  public func withoutSubentities() -> Self {
    var copy = self
    copy.request.includesSubentities = false
    return copy
  }

  /// Deletes the rows that match.
  ///
  /// - Parameters, Throws: as `batchDelete(_:returning:progress:)`.
  @discardableResult
  public func `where`<Returned>(
    _ condition: Condition<Object>,
    returning result: BatchResult<DeletionResult, Returned> = .count,
    progress: (@Sendable (BatchProgress) -> Void)? = nil
  ) async throws -> Returned {
    try await run(condition.predicate, result, progress)
  }

  /// Deletes the rows that match a predicate.
  ///
  /// - Parameters, Throws: as `batchDelete(_:returning:progress:)`.
  @discardableResult
  public func `where`<Returned>(
    _ predicate: FormatPredicate,
    returning result: BatchResult<DeletionResult, Returned> = .count,
    progress: (@Sendable (BatchProgress) -> Void)? = nil
  ) async throws -> Returned {
    try await run(predicate, result, progress)
  }

  /// Deletes all rows.
  ///
  /// - Parameters, Throws: as `batchDelete(_:returning:progress:)`.
  @discardableResult
  public func everywhere<Returned>(
    returning result: BatchResult<DeletionResult, Returned> = .count,
    progress: (@Sendable (BatchProgress) -> Void)? = nil
  ) async throws -> Returned {
    try await run(nil, result, progress)
  }

  private func run<Returned>(
    _ predicate: FormatPredicate?, _ result: BatchResult<DeletionResult, Returned>,
    _ progress: (@Sendable (BatchProgress) -> Void)?
  ) async throws -> Returned {
    var request = request
    request.predicate = predicate
    return try await store.batchDelete(
      request, author: author, returning: result, progress: progress)
  }
}
