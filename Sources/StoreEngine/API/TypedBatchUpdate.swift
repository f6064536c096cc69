public import StoreModel
public import StorePredicate

extension PersistentStore {
  /// New values for rows of a type; `where` or `everywhere` runs it.
  ///
  ///     try await store.batchUpdate(Item.self) { $0.done = true }.where(\.done == false)
  ///     try await store.batchUpdate(Item.self) { $0.set(\.priority, to: \.priority + 1) }.everywhere()
  ///
  /// - Parameters:
  ///   - type: the type of the rows.
  ///   - validates: false leaves out what the model asks of values beyond their type.
  ///   - author: who makes the change, for the persistent history.
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

  /// A deletion of rows of a type; `where` or `everywhere` runs it.
  ///
  ///     try await store.batchDelete(Item.self).where(\.done == true)
  ///
  /// - Parameters:
  ///   - type: the type of the rows.
  ///   - rules: which delete rules apply.
  ///   - author: who makes the change, for the persistent history.
  public func batchDelete<Object: StoredObject>(
    _ type: Object.Type, rules: BatchDelete.Rules = .model, author: ChangeAuthor = .storetool
  ) -> TypedBatchDelete<Object> {
    TypedBatchDelete(
      store: self, author: author, request: BatchDelete(entity: Object.entityName, rules: rules))
  }

  /// Adds objects as rows, all or none.
  ///
  ///     try await store.batchInsert((1...1_000_000).lazy.map { Item(name: "item \($0)") })
  ///
  /// - Parameters, Throws: as for records.
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

  /// The same with another result: `returning: .objectIDs`.
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

/// New values on their way to the rows of a type.
public struct TypedBatchUpdate<Object: StoredObject>: Sendable {
  let store: PersistentStore
  let author: ChangeAuthor
  /// For all rows.
  public private(set) var request: BatchUpdate

  /// Leaves out rows of entities that inherit from this one.
  public func withoutSubentities() -> Self {
    var copy = self
    copy.request.includesSubentities = false
    return copy
  }

  /// Gives the rows that match their new values.
  ///
  /// - Parameters, Throws: as `batchUpdate(_:returning:progress:)`.
  @discardableResult
  public func `where`(
    _ condition: Condition<Object>, progress: (@Sendable (BatchProgress) -> Void)? = nil
  ) async throws -> UpdateResult {
    try await run(condition.predicate, .count, progress)
  }

  /// Gives the rows that match their new values.
  ///
  /// - Parameters:
  ///   - condition: which rows.
  ///   - result: what to return.
  ///   - progress: called on another thread with the rows done so far.
  /// - Throws: as `batchUpdate(_:returning:progress:)`.
  @discardableResult
  public func `where`<Returned>(
    _ condition: Condition<Object>,
    returning result: TypedBatchResult<Object, UpdateResult, Returned>,
    progress: (@Sendable (BatchProgress) -> Void)? = nil
  ) async throws -> Returned {
    try await run(condition.predicate, result, progress)
  }

  /// Gives the rows that match a predicate their new values.
  ///
  /// - Parameters, Throws: as `batchUpdate(_:returning:progress:)`.
  @discardableResult
  public func `where`(
    _ predicate: FormatPredicate, progress: (@Sendable (BatchProgress) -> Void)? = nil
  ) async throws -> UpdateResult {
    try await run(predicate, .count, progress)
  }

  /// Gives the rows that match a predicate their new values.
  ///
  /// - Parameters:
  ///   - predicate: which rows.
  ///   - result: what to return.
  ///   - progress: called on another thread with the rows done so far.
  /// - Throws: as `batchUpdate(_:returning:progress:)`.
  @discardableResult
  public func `where`<Returned>(
    _ predicate: FormatPredicate,
    returning result: TypedBatchResult<Object, UpdateResult, Returned>,
    progress: (@Sendable (BatchProgress) -> Void)? = nil
  ) async throws -> Returned {
    try await run(predicate, result, progress)
  }

  /// Gives all rows their new values.
  ///
  /// - Parameters, Throws: as `batchUpdate(_:returning:progress:)`.
  @discardableResult
  public func everywhere(
    progress: (@Sendable (BatchProgress) -> Void)? = nil
  ) async throws -> UpdateResult {
    try await run(nil, .count, progress)
  }

  /// Gives all rows their new values.
  ///
  /// - Parameters:
  ///   - result: what to return.
  ///   - progress: called on another thread with the rows done so far.
  /// - Throws: as `batchUpdate(_:returning:progress:)`.
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

/// The object IDs that a typed batch request returns: `ObjectIDs`, with their type.
public struct TypedObjectIDs<Object: StoredObject>: AsyncSequence, Sendable {
  let untyped: ObjectIDs

  /// How many there are.
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

/// What a typed batch request returns.
public struct TypedBatchResult<Object: StoredObject, Summary: Sendable, Returned: Sendable>:
  Sendable
{
  let untyped: BatchResult<Summary, Returned>
}

extension TypedBatchResult where Returned == Bool {
  /// `true`: a request that fails throws.
  public static var status: Self { Self(untyped: .status) }
}

extension TypedBatchResult where Returned == Summary {
  /// How many rows the request has met and changed.
  public static var count: Self { Self(untyped: .count) }
}

extension TypedBatchResult where Returned == TypedObjectIDs<Object> {
  /// The rows that the request has changed or inserted.
  public static var objectIDs: Self {
    Self(untyped: BatchResult(form: .objectIDs { TypedObjectIDs(untyped: $0) }))
  }
}

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
