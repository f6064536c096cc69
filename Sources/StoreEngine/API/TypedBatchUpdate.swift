public import StoreModel
import StorePredicate

extension PersistentStore {
  /// Creates an update of rows of a type. `where` or `everywhere` runs it.
  ///
  ///     try await store.batchUpdate(Item.self) { $0.done = true }.where(\.done == false)
  ///     try await store.batchUpdate(Item.self) { $0.set(\.priority, to: \.priority + 1) }.everywhere()
  ///
  /// - Parameters:
  ///   - type: the type of the rows.
  ///   - validates: `false` skips the model's rules for values beyond their type, as Core Data's batch requests do.
  ///   - author: the author of the change in the persistent history.
  ///   - change: sets the new values.
  /// - Returns: the update, which hasn't been run yet.
  public func batchUpdate<Object: StoredObject>(
    _ type: Object.Type, validates: Bool = true, author: ChangeAuthor = .storetool,
    _ change: (inout Changes<Object>) -> Void
  ) -> TypedBatchUpdate<Object> {
    var changes = Changes<Object>()
    change(&changes)
    return TypedBatchUpdate(
      store: self, author: author,
      request: BatchUpdate(
        entity: Object.entityName, values: changes.assignments, validates: validates))
  }

  /// Creates a deletion of rows of a type. `where` or `everywhere` runs it.
  ///
  ///     try await store.batchDelete(Item.self).where(\.done == true)
  ///
  /// - Parameters:
  ///   - type: the type of the rows.
  ///   - rules: the delete rules to apply.
  ///   - author: the author of the change in the persistent history.
  /// - Returns: the deletion, which hasn't been run yet.
  public func batchDelete<Object: StoredObject>(
    _ type: Object.Type, rules: BatchDelete.Rules = .model, author: ChangeAuthor = .storetool
  ) -> TypedBatchDelete<Object> {
    TypedBatchDelete(
      store: self, author: author, request: BatchDelete(entity: Object.entityName, rules: rules))
  }

  /// Inserts objects as rows. If one of them is rejected, no rows are inserted.
  ///
  ///     try await store.batchInsert((1...1_000_000).lazy.map { Item(name: "item \($0)") })
  ///
  /// - Parameters:
  ///   - objects: the values of the rows. They are read once, on the caller's actor.
  ///   - policy: what to do with a record if a row has the same unique values.
  ///   - validates: `false` skips the model's rules for values beyond their type, as Core Data's batch requests do.
  ///   - author: the author of the change in the persistent history.
  ///   - progress: called on another thread with the number of processed records.
  /// - Returns: the number of inserted and updated rows.
  /// - Throws: `StoreError` with the reason `invalidRequest` if the entity or a property doesn't exist, `invalidData`
  ///   if the model doesn't allow a value, `notUnique`, `locked`, or `inputOutput`; `CancellationError`.
  @discardableResult
  public nonisolated(nonsending) func batchInsert<Objects: Sequence>(
    _ objects: Objects, onConflict policy: ConflictPolicy = .fail, validates: Bool = true,
    author: ChangeAuthor = .storetool,
    progress: (@Sendable (BatchProgress) -> Void)? = nil
  ) async throws -> InsertResult where Objects.Element: StoredObject {
    try await batchInsert(
      objects, onConflict: policy, validates: validates, author: author, returning: .count,
      progress: progress)
  }

  /// Inserts objects as rows, and returns the requested form of the result, such as object IDs. If one of the objects
  /// is rejected, no rows are inserted.
  ///
  /// - Parameters:
  ///   - objects: the values of the rows. They are read once, on the caller's actor.
  ///   - policy: what to do with a record if a row has the same unique values.
  ///   - validates: `false` skips the model's rules for values beyond their type, as Core Data's batch requests do.
  ///   - author: the author of the change in the persistent history.
  ///   - result: what to return.
  ///   - progress: called on another thread with the number of processed records.
  /// - Returns: the requested form of the result.
  /// - Throws: `StoreError` with the reason `invalidRequest` if the entity or a property doesn't exist, `invalidData`
  ///   if the model doesn't allow a value, `notUnique`, `locked`, or `inputOutput`; `CancellationError`.
  @discardableResult
  public nonisolated(nonsending) func batchInsert<Objects: Sequence, Returned>(
    _ objects: Objects, onConflict policy: ConflictPolicy = .fail, validates: Bool = true,
    author: ChangeAuthor = .storetool,
    returning result: TypedBatchResult<Objects.Element, InsertResult, Returned>,
    progress: (@Sendable (BatchProgress) -> Void)? = nil
  ) async throws -> Returned where Objects.Element: StoredObject {
    try await batchInsert(
      objects.lazy.map { $0.propertyValues }, into: Objects.Element.entityName, onConflict: policy,
      validates: validates, author: author, returning: result.untyped, progress: progress)
  }
}

/// An update of rows of a type, which hasn't been run yet.
public struct TypedBatchUpdate<Object: StoredObject>: Sendable {
  let store: PersistentStore
  let author: ChangeAuthor
  /// The untyped request, without a predicate.
  public private(set) var request: BatchUpdate

  /// Returns an update that excludes rows of sub-entities.
  ///
  /// - Returns: the update.
  public func withoutSubentities() -> Self {
    var copy = self
    copy.request.includesSubentities = false
    return copy
  }

  /// Updates the rows that match a condition.
  ///
  /// - Parameters:
  ///   - condition: the condition.
  ///   - progress: called on another thread with the number of updated rows.
  /// - Returns: the number of matching and changed rows.
  /// - Throws: `StoreError` with the reason `invalidRequest` if the request doesn't fit the model, `invalidData` if the
  ///   model doesn't allow a new value, `notUnique`, `locked`, or `inputOutput`; `CancellationError`.
  @discardableResult
  public func `where`(
    _ condition: TypedCondition<Object>, progress: (@Sendable (BatchProgress) -> Void)? = nil
  ) async throws -> UpdateResult {
    try await run(condition.predicate, .count, progress)
  }

  /// Updates the rows that match a condition, and returns the requested form of the result.
  ///
  /// - Parameters:
  ///   - condition: the condition.
  ///   - result: what to return.
  ///   - progress: called on another thread with the number of updated rows.
  /// - Returns: the requested form of the result.
  /// - Throws: `StoreError` with the reason `invalidRequest` if the request doesn't fit the model, `invalidData` if the
  ///   model doesn't allow a new value, `notUnique`, `locked`, or `inputOutput`; `CancellationError`.
  @discardableResult
  public func `where`<Returned>(
    _ condition: TypedCondition<Object>,
    returning result: TypedBatchResult<Object, UpdateResult, Returned>,
    progress: (@Sendable (BatchProgress) -> Void)? = nil
  ) async throws -> Returned {
    try await run(condition.predicate, result, progress)
  }

  /// Updates all rows.
  ///
  /// - Parameter progress: called on another thread with the number of updated rows.
  /// - Returns: the number of matching and changed rows.
  /// - Throws: `StoreError` with the reason `invalidRequest` if the request doesn't fit the model, `invalidData` if the
  ///   model doesn't allow a new value, `notUnique`, `locked`, or `inputOutput`; `CancellationError`.
  @discardableResult
  public func everywhere(
    progress: (@Sendable (BatchProgress) -> Void)? = nil
  ) async throws -> UpdateResult {
    try await run(nil, .count, progress)
  }

  /// Updates all rows, and returns the requested form of the result.
  ///
  /// - Parameters:
  ///   - result: what to return.
  ///   - progress: called on another thread with the number of updated rows.
  /// - Returns: the requested form of the result.
  /// - Throws: `StoreError` with the reason `invalidRequest` if the request doesn't fit the model, `invalidData` if the
  ///   model doesn't allow a new value, `notUnique`, `locked`, or `inputOutput`; `CancellationError`.
  @discardableResult
  public func everywhere<Returned>(
    returning result: TypedBatchResult<Object, UpdateResult, Returned>,
    progress: (@Sendable (BatchProgress) -> Void)? = nil
  ) async throws -> Returned {
    try await run(nil, result, progress)
  }

  private func run<Returned>(
    _ predicate: FormatPredicate?, _ result: TypedBatchResult<Object, UpdateResult, Returned>,
    _ progress: (@Sendable (BatchProgress) -> Void)?
  ) async throws -> Returned {
    var request = request
    request.predicate = predicate
    return try await store.batchUpdate(
      request, author: author, returning: result.untyped, progress: progress)
  }
}

/// The object IDs that a typed batch request returns. They are read on demand.
public struct TypedObjectIDs<Object: StoredObject>: AsyncSequence, Sendable {
  let untyped: ObjectIDs

  /// The number of object IDs.
  public var count: Int { untyped.count }

  /// Returns an iterator that starts with the first object ID.
  ///
  /// - Returns: the iterator.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(untyped: untyped.makeAsyncIterator())
  }

  /// An iterator over typed object IDs.
  public struct AsyncIterator: AsyncIteratorProtocol {
    var untyped: ObjectIDs.AsyncIterator

    /// Returns the next object ID, or `nil` at the end.
    ///
    /// - Returns: the next object ID.
    /// - Throws: `StoreError` if reading fails or the store was closed; `CancellationError`.
    public mutating func next() async throws -> TypedObjectID<Object>? {
      try await untyped.next().map { TypedObjectID(trusted: $0) }
    }
  }
}

/// The form of a typed batch request's result.
public struct TypedBatchResult<Object: StoredObject, Summary: Sendable, Returned: Sendable>:
  Sendable
{
  let untyped: BatchResult<Summary, Returned>
}

extension TypedBatchResult where Returned == Bool {
  /// `true`. A request that fails throws an error instead.
  public static var status: Self { Self(untyped: .status) }
}

extension TypedBatchResult where Returned == Summary {
  /// The counts of the request, such as the numbers of matching and changed rows.
  public static var count: Self { Self(untyped: .count) }
}

extension TypedBatchResult where Returned == TypedObjectIDs<Object> {
  /// The object IDs of the rows that were changed or inserted.
  public static var objectIDs: Self {
    Self(untyped: BatchResult(form: .objectIDs { TypedObjectIDs(untyped: $0) }))
  }
}

/// A deletion of rows of a type, which hasn't been run yet.
///
/// With `.objectIDs`, it returns the IDs of all deleted rows, including rows of other entities that the delete rules
/// have deleted. `Item.ID(id)` is nil for rows of other entities.
public struct TypedBatchDelete<Object: StoredObject>: Sendable {
  let store: PersistentStore
  let author: ChangeAuthor
  /// The untyped request, without a predicate.
  public private(set) var request: BatchDelete

  /// Returns a deletion that excludes rows of sub-entities.
  ///
  /// - Returns: the deletion.
  public func withoutSubentities() -> Self {
    var copy = self
    copy.request.includesSubentities = false
    return copy
  }

  /// Deletes the rows that match a condition.
  ///
  /// - Parameters:
  ///   - condition: the condition.
  ///   - result: what to return. The default is the counts.
  ///   - progress: called on another thread with the number of deleted rows.
  /// - Returns: the requested form of the result.
  /// - Throws: `StoreError` with the reason `deletionDenied` if a delete rule, a required reference or a minimum number
  ///   of members forbids the deletion, `invalidRequest` if the request doesn't fit the model, `locked`, or
  ///   `inputOutput`; `CancellationError`.
  @discardableResult
  public func `where`<Returned>(
    _ condition: TypedCondition<Object>,
    returning result: BatchResult<DeletionResult, Returned> = .count,
    progress: (@Sendable (BatchProgress) -> Void)? = nil
  ) async throws -> Returned {
    try await run(condition.predicate, result, progress)
  }

  /// Deletes all rows.
  ///
  /// - Parameters:
  ///   - result: what to return. The default is the counts.
  ///   - progress: called on another thread with the number of deleted rows.
  /// - Returns: the requested form of the result.
  /// - Throws: `StoreError` with the reason `deletionDenied` if a delete rule, a required reference or a minimum number
  ///   of members forbids the deletion, `invalidRequest` if the request doesn't fit the model, `locked`, or
  ///   `inputOutput`; `CancellationError`.
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
