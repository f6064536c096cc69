public import StoreModel
public import StorePredicate

extension PersistentStore {
  /// Specifies new values for rows of a type. `where` or `everywhere` runs the request.
  ///
  ///     try await store.batchUpdate(Item.self) { $0.done = true }.where(\.done == false)
  ///     try await store.batchUpdate(Item.self) { $0.set(\.priority, to: \.priority + 1) }.everywhere()
  ///
  /// - Parameters:
  ///   - type: the type of the rows.
  ///   - validates: false skips the model's validation rules for values.
  ///   - author: the author of the change in the persistent history.
  ///   - change: sets the new values.
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

  /// Specifies the deletion of rows of a type. `where` or `everywhere` runs the request.
  ///
  ///     try await store.batchDelete(Item.self).where(\.done == true)
  ///
  /// - Parameters:
  ///   - type: the type of the rows.
  ///   - rules: the delete rules to apply.
  ///   - author: the author of the change in the persistent history.
  public func batchDelete<Object: StoredObject>(
    _ type: Object.Type, rules: BatchDelete.Rules = .model, author: ChangeAuthor = .storetool
  ) -> TypedBatchDelete<Object> {
    TypedBatchDelete(
      store: self, author: author, request: BatchDelete(entity: Object.entityName, rules: rules))
  }

  /// Inserts all objects as rows, or none of them.
  ///
  ///     try await store.batchInsert((1...1_000_000).lazy.map { Item(name: "item \($0)") })
  ///
  /// - Parameters:
  ///   - objects: the objects, which are read once, on another thread.
  ///   - policy: the behavior if a row has the unique values of an object.
  ///   - validates: false skips the model's validation rules for values.
  ///   - author: the author of the change in the persistent history.
  ///   - progress: is called on another thread with the number of rows so far.
  /// - Returns: the counts.
  /// - Throws: `StoreError`: `invalidRequest`, `invalidData`, `notUnique`, `locked`, `inputOutput`;
  ///   `CancellationError`.
  @discardableResult
  public func batchInsert<Objects: Sequence>(
    _ objects: sending Objects, onConflict policy: ConflictPolicy = .fail, validates: Bool = true,
    author: ChangeAuthor = .storetool,
    progress: (@Sendable (BatchProgress) -> Void)? = nil
  ) async throws -> InsertResult where Objects.Element: StoredObject {
    try await batchInsert(
      objects, onConflict: policy, validates: validates, author: author, returning: .count,
      progress: progress)
  }

  /// Inserts all objects as rows, or none of them, and returns another result, such as `.objectIDs`.
  ///
  /// - Parameters:
  ///   - objects: the objects, which are read once, on another thread.
  ///   - policy: the behavior if a row has the unique values of an object.
  ///   - validates: false skips the model's validation rules for values.
  ///   - author: the author of the change in the persistent history.
  ///   - result: the form of the result.
  ///   - progress: is called on another thread with the number of rows so far.
  /// - Throws: `StoreError`: `invalidRequest`, `invalidData`, `notUnique`, `locked`, `inputOutput`;
  ///   `CancellationError`.
  @discardableResult
  public func batchInsert<Objects: Sequence, Returned>(
    _ objects: sending Objects, onConflict policy: ConflictPolicy = .fail, validates: Bool = true,
    author: ChangeAuthor = .storetool,
    returning result: TypedBatchResult<Objects.Element, InsertResult, Returned>,
    progress: (@Sendable (BatchProgress) -> Void)? = nil
  ) async throws -> Returned where Objects.Element: StoredObject {
    try await batchInsert(
      objects.lazy.map(\.propertyValues), into: Objects.Element.entityName, onConflict: policy,
      validates: validates, author: author, returning: result.untyped, progress: progress)
  }
}

/// New values for rows of a type.
public struct TypedBatchUpdate<Object: StoredObject>: Sendable {
  let store: PersistentStore
  let author: ChangeAuthor
  /// The request for all rows.
  public private(set) var request: BatchUpdate

  /// Excludes rows of subentities.
  public func withoutSubentities() -> Self {
    var copy = self
    copy.request.includesSubentities = false
    return copy
  }

  /// Sets the new values in the rows that match.
  ///
  /// - Parameters:
  ///   - condition: the rows.
  ///   - progress: is called on another thread with the number of rows so far.
  /// - Returns: the counts.
  /// - Throws: `StoreError`: `invalidRequest`, `invalidData`, `notUnique`, `locked`, `inputOutput`;
  ///   `CancellationError`.
  @discardableResult
  public func `where`(
    _ condition: Condition<Object>, progress: (@Sendable (BatchProgress) -> Void)? = nil
  ) async throws -> UpdateResult {
    try await run(condition.predicate, .count, progress)
  }

  /// Sets the new values in the rows that match.
  ///
  /// - Parameters:
  ///   - condition: the rows.
  ///   - result: the form of the result.
  ///   - progress: is called on another thread with the number of rows so far.
  /// - Throws: `StoreError`: `invalidRequest`, `invalidData`, `notUnique`, `locked`, `inputOutput`;
  ///   `CancellationError`.
  @discardableResult
  public func `where`<Returned>(
    _ condition: Condition<Object>,
    returning result: TypedBatchResult<Object, UpdateResult, Returned>,
    progress: (@Sendable (BatchProgress) -> Void)? = nil
  ) async throws -> Returned {
    try await run(condition.predicate, result, progress)
  }

  /// Sets the new values in the rows that match a predicate.
  ///
  /// - Parameters:
  ///   - predicate: the rows.
  ///   - progress: is called on another thread with the number of rows so far.
  /// - Returns: the counts.
  /// - Throws: `StoreError`: `invalidRequest`, `invalidData`, `notUnique`, `locked`, `inputOutput`;
  ///   `CancellationError`.
  @discardableResult
  public func `where`(
    _ predicate: FormatPredicate, progress: (@Sendable (BatchProgress) -> Void)? = nil
  ) async throws -> UpdateResult {
    try await run(predicate, .count, progress)
  }

  /// Sets the new values in the rows that match a predicate.
  ///
  /// - Parameters:
  ///   - predicate: the rows.
  ///   - result: the form of the result.
  ///   - progress: is called on another thread with the number of rows so far.
  /// - Throws: `StoreError`: `invalidRequest`, `invalidData`, `notUnique`, `locked`, `inputOutput`;
  ///   `CancellationError`.
  @discardableResult
  public func `where`<Returned>(
    _ predicate: FormatPredicate,
    returning result: TypedBatchResult<Object, UpdateResult, Returned>,
    progress: (@Sendable (BatchProgress) -> Void)? = nil
  ) async throws -> Returned {
    try await run(predicate, result, progress)
  }

  /// Sets the new values in all rows.
  ///
  /// - Parameter progress: is called on another thread with the number of rows so far.
  /// - Returns: the counts.
  /// - Throws: `StoreError`: `invalidRequest`, `invalidData`, `notUnique`, `locked`, `inputOutput`;
  ///   `CancellationError`.
  @discardableResult
  public func everywhere(
    progress: (@Sendable (BatchProgress) -> Void)? = nil
  ) async throws -> UpdateResult {
    try await run(nil, .count, progress)
  }

  /// Sets the new values in all rows.
  ///
  /// - Parameters:
  ///   - result: the form of the result.
  ///   - progress: is called on another thread with the number of rows so far.
  /// - Throws: `StoreError`: `invalidRequest`, `invalidData`, `notUnique`, `locked`, `inputOutput`;
  ///   `CancellationError`.
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

/// The object IDs in the result of a typed batch request, with their type.
public struct TypedObjectIDs<Object: StoredObject>: AsyncSequence, Sendable {
  let untyped: ObjectIDs

  /// The number of IDs.
  public var count: Int { untyped.count }

  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(untyped: untyped.makeAsyncIterator())
  }

  public struct AsyncIterator: AsyncIteratorProtocol {
    var untyped: ObjectIDs.AsyncIterator

    public mutating func next() async throws -> TypedObjectID<Object>? {
      try await untyped.next().map { TypedObjectID(trusted: $0) }
    }
  }
}

/// The result of a typed batch request.
public struct TypedBatchResult<Object: StoredObject, Summary: Sendable, Returned: Sendable>:
  Sendable
{
  let untyped: BatchResult<Summary, Returned>
}

extension TypedBatchResult where Returned == Bool {
  /// `true`. A request that fails throws.
  public static var status: Self { Self(untyped: .status) }
}

extension TypedBatchResult where Returned == Summary {
  /// The numbers of rows that the request matched and changed.
  public static var count: Self { Self(untyped: .count) }
}

extension TypedBatchResult where Returned == TypedObjectIDs<Object> {
  /// The object IDs of the rows that the request changed or inserted.
  public static var objectIDs: Self {
    Self(untyped: BatchResult(form: .objectIDs { TypedObjectIDs(untyped: $0) }))
  }
}

/// The deletion of rows of a type.
///
/// The returned object IDs include all deleted rows of all entities, because delete rules can cascade to other
/// entities. `Item.ID(id)` is nil for their rows.
public struct TypedBatchDelete<Object: StoredObject>: Sendable {
  let store: PersistentStore
  let author: ChangeAuthor
  /// The request for all rows.
  public private(set) var request: BatchDelete

  /// Excludes rows of subentities.
  public func withoutSubentities() -> Self {
    var copy = self
    copy.request.includesSubentities = false
    return copy
  }

  /// Deletes the rows that match.
  ///
  /// - Parameters:
  ///   - condition: the rows.
  ///   - result: the form of the result. The default is the counts.
  ///   - progress: is called on another thread with the number of rows so far.
  /// - Throws: `StoreError`: `deletionDenied`, `invalidRequest`, `locked`, `inputOutput`; `CancellationError`.
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
  /// - Parameters:
  ///   - predicate: the rows.
  ///   - result: the form of the result. The default is the counts.
  ///   - progress: is called on another thread with the number of rows so far.
  /// - Throws: `StoreError`: `deletionDenied`, `invalidRequest`, `locked`, `inputOutput`; `CancellationError`.
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
  /// - Parameters:
  ///   - result: the form of the result. The default is the counts.
  ///   - progress: is called on another thread with the number of rows so far.
  /// - Throws: `StoreError`: `deletionDenied`, `invalidRequest`, `locked`, `inputOutput`; `CancellationError`.
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
