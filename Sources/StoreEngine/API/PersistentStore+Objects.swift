public import StoreModel

// Single objects, each in its own transaction.
extension PersistentStore {
  /// Inserts a row.
  ///
  ///     let id = try await store.create(Product(title: "Sencha"))
  ///
  /// - Parameters:
  ///   - object: the values of the row.
  ///   - author: the author of the change in the persistent history.
  /// - Returns: the object ID of the row.
  /// - Throws: `StoreError`: `invalidRequest`, `invalidData`, `notUnique`, `locked`, `inputOutput`;
  ///   `CancellationError`.
  @discardableResult
  public func create<Object: StoredObject>(
    _ object: Object, author: ChangeAuthor = .storetool
  ) async throws -> TypedObjectID<Object> {
    try await transaction(StoreRequest(.create, of: Object.entityName), author: author) {
      try $0.create(object)
    }
  }

  /// Inserts all rows, or none of them.
  ///
  /// - Parameters:
  ///   - objects: the values of the rows.
  ///   - author: the author of the change in the persistent history.
  /// - Returns: the object IDs, in the order of the objects.
  /// - Throws: `StoreError`: `invalidRequest`, `invalidData`, `notUnique`, `locked`, `inputOutput`;
  ///   `CancellationError`.
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
  /// The existing row has the same values of a uniqueness constraint of the entity or of a parent entity. All
  /// properties of the type are set to the values of `object`, including nil. Other properties, such as to-many
  /// relationships, remain unchanged.
  ///
  /// - Parameters:
  ///   - object: the values of the row.
  ///   - author: the author of the change in the persistent history.
  /// - Returns: the object ID of the row.
  /// - Throws: `StoreError`: `invalidRequest` for an entity without a uniqueness constraint, `invalidData`, `locked`,
  ///   `inputOutput`; `CancellationError`.
  @discardableResult
  public func createOrUpdate<Object: StoredObject>(
    _ object: Object, author: ChangeAuthor = .storetool
  ) async throws -> TypedObjectID<Object> {
    try await transaction(StoreRequest(.createOrUpdate, of: Object.entityName), author: author) {
      try $0.createOrUpdate(object)
    }
  }

  /// Sets properties of a row. Other properties remain unchanged, even if another writer has changed them.
  ///
  ///     try await store.update(id) { $0.title = "Sencha" }
  ///
  /// - Parameters:
  ///   - id: the row.
  ///   - author: the author of the change in the persistent history.
  ///   - change: sets the new values.
  /// - Returns: false if the row already had these values.
  /// - Throws: `StoreError`: `noObject` if the row doesn't exist, `invalidRequest`, `invalidData`, `notUnique`,
  ///   `locked`, `inputOutput`; `CancellationError`.
  @discardableResult
  public func update<Object: StoredObject>(
    _ id: TypedObjectID<Object>, author: ChangeAuthor = .storetool,
    _ change: (inout Changes<Object>) -> Void
  ) async throws -> Bool {
    var changes = Changes<Object>()
    change(&changes)
    return try await transaction(StoreRequest(.update, of: Object.entityName), author: author) {
      [changes] in try $0.update(id, by: changes)
    }
  }

  /// Updates a row with a value that was read and then changed.
  ///
  ///     if var product = try await store.object(id) {
  ///       product.amount += 1
  ///       try await store.update(product)
  ///     }
  ///
  /// Only properties that differ from the row are written. If another writer has changed a property after the value was
  /// read, it is set back. To set single properties, use `update(_:author:_:)`. To read and write in one transaction,
  /// use `transaction`.
  ///
  /// - Parameters:
  ///   - object: the values of the row.
  ///   - author: the author of the change in the persistent history.
  /// - Returns: false if the row already had these values.
  /// - Throws: `StoreError`: `noObject` if the row doesn't exist, `invalidRequest`, `invalidData`, `notUnique`,
  ///   `locked`, `inputOutput`; `CancellationError`.
  @discardableResult
  public func update<Object: StoredObject>(
    _ object: Stored<Object>, author: ChangeAuthor = .storetool
  ) async throws -> Bool {
    try await transaction(StoreRequest(.update, of: Object.entityName), author: author) {
      try $0.update(object)
    }
  }

  /// Deletes a row according to the model's delete rules.
  ///
  /// - Parameters:
  ///   - id: the row.
  ///   - author: the author of the change in the persistent history.
  /// - Returns: the numbers of deleted rows and of changed references.
  /// - Throws: `StoreError`: `noObject` if the row doesn't exist, `deletionDenied`, `invalidRequest`, `locked`,
  ///   `inputOutput`; `CancellationError`.
  @discardableResult
  public func remove<Object: StoredObject>(
    _ id: TypedObjectID<Object>, author: ChangeAuthor = .storetool
  ) async throws -> DeletionResult {
    try await transaction(StoreRequest(.remove, of: Object.entityName), author: author) {
      try $0.remove(id)
    }
  }
}
