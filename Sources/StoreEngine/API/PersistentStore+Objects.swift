public import StoreModel

// Requests for single objects. Each function runs its own transaction.
extension PersistentStore {
  /// Inserts a row.
  ///
  ///     let id = try await store.create(Product(title: "Sencha"))
  ///
  /// - Parameters:
  ///   - object: the values of the row.
  ///   - author: the author of the change in the persistent history.
  /// - Returns: the object ID of the row.
  /// - Throws: `StoreError` with the reason `invalidRequest` if the entity or a property doesn't exist, `invalidData`
  ///   if the model doesn't allow a value, `notUnique`, `locked`, or `inputOutput`; `CancellationError`.
  @discardableResult
  public func create<Object: StoredObject>(
    _ object: Object, author: ChangeAuthor = .storetool
  ) async throws -> TypedObjectID<Object> {
    try await transaction(StoreRequest(.create, of: Object.entityName), author: author) {
      try $0.create(object)
    }
  }

  /// Inserts rows. If one of them is rejected, no rows are inserted.
  ///
  /// - Parameters:
  ///   - objects: the values of the rows.
  ///   - author: the author of the change in the persistent history.
  /// - Returns: the object IDs, in the order of `objects`.
  /// - Throws: `StoreError` with the reason `invalidRequest` if the entity or a property doesn't exist, `invalidData`
  ///   if the model doesn't allow a value, `notUnique`, `locked`, or `inputOutput`; `CancellationError`.
  @discardableResult
  public func create<Object: StoredObject>(
    _ objects: [Object], author: ChangeAuthor = .storetool
  ) async throws -> [TypedObjectID<Object>] {
    try await transaction(StoreRequest(.create, of: Object.entityName), author: author) {
      try $0.create(objects)
    }
  }

  /// Inserts a row, or updates the existing row with the same unique values.
  ///
  ///     let id = try await store.createOrUpdate(Team(name: "Tigers", points: 3))
  ///
  /// The existing row is the row with the same values of a uniqueness constraint, which the entity declares or
  /// inherits. All properties of the Swift type are set to the values of `object`, including nil. Other properties,
  /// such as to-many relationships, don't change.
  ///
  /// - Parameters:
  ///   - object: the values of the row.
  ///   - author: the author of the change in the persistent history.
  /// - Returns: the object ID of the row.
  /// - Throws: `StoreError` with the reason `invalidRequest` if the entity has no uniqueness constraint, `invalidData`
  ///   if the model doesn't allow a value, `notUnique`, `locked`, or `inputOutput`; `CancellationError`.
  @discardableResult
  public func createOrUpdate<Object: StoredObject>(
    _ object: Object, author: ChangeAuthor = .storetool
  ) async throws -> TypedObjectID<Object> {
    try await transaction(StoreRequest(.createOrUpdate, of: Object.entityName), author: author) {
      try $0.createOrUpdate(object)
    }
  }

  /// Changes properties of one row. Other properties keep their current values.
  ///
  ///     try await store.update(id) { $0.title = "Sencha" }
  ///
  /// - Parameters:
  ///   - row: the row or its object ID.
  ///   - author: the author of the change in the persistent history.
  ///   - change: sets the new values.
  /// - Returns: `false` if the row already had these values.
  /// - Throws: `StoreError` with the reason `noObject` if the row doesn't exist, `invalidRequest` if the request
  ///   doesn't fit the model, `invalidData` if the model doesn't allow a new value, `notUnique`, `locked`, or
  ///   `inputOutput`; `CancellationError`.
  @discardableResult
  public nonisolated(nonsending) func update<Object: StoredObject>(
    _ row: some ObjectReference<Object>, author: ChangeAuthor = .storetool,
    _ change: (inout Changes<Object>) -> Void
  ) async throws -> Bool {
    var changes = Changes<Object>()
    change(&changes)
    return try await transaction(StoreRequest(.update, of: Object.entityName), author: author) {
      [id = row.id, changes] in try $0.update(id, by: changes)
    }
  }

  /// Updates a row from a value that was fetched and then changed.
  ///
  ///     if var product = try await store.object(id) {
  ///       product.amount += 1
  ///       try await store.update(product)
  ///     }
  ///
  /// Only properties that differ from the row are written. If another program has changed a property since the value
  /// was fetched, the property is set back. `update(_:author:_:)` changes only the properties that it sets. Use
  /// `transaction` to read and change a row in one step.
  ///
  /// - Parameters:
  ///   - object: the values of the row.
  ///   - author: the author of the change in the persistent history.
  /// - Returns: `false` if the row already had these values.
  /// - Throws: `StoreError` with the reason `noObject` if the row doesn't exist, `invalidRequest` if the request
  ///   doesn't fit the model, `invalidData` if the model doesn't allow a new value, `notUnique`, `locked`, or
  ///   `inputOutput`; `CancellationError`.
  @discardableResult
  public func update<Object: StoredObject>(
    _ object: Stored<Object>, author: ChangeAuthor = .storetool
  ) async throws -> Bool {
    try await transaction(StoreRequest(.update, of: Object.entityName), author: author) {
      try $0.update(object)
    }
  }

  /// Deletes one row and applies the model's delete rules.
  ///
  /// - Parameters:
  ///   - row: the row or its object ID.
  ///   - author: the author of the change in the persistent history.
  /// - Returns: the numbers of deleted rows and cleared references.
  /// - Throws: `StoreError` with the reason `noObject` if the row doesn't exist, `deletionDenied` if a delete rule, a
  ///   required reference or a minimum number of members forbids the deletion, `locked`, or `inputOutput`;
  ///   `CancellationError`.
  @discardableResult
  public func delete<Object: StoredObject>(
    _ row: some ObjectReference<Object>, author: ChangeAuthor = .storetool
  ) async throws -> DeletionResult {
    try await transaction(StoreRequest(.delete, of: Object.entityName), author: author) {
      try $0.delete(row)
    }
  }
}
