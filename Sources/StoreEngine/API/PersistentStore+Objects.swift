public import StoreModel

// Single objects, each in a transaction of its own.
extension PersistentStore {
  /// Adds a row.
  ///
  ///     let id = try await store.create(Product(title: "Sencha"))
  ///
  /// - Parameters:
  ///   - object: the values of the row.
  ///   - author: who makes the change, for the persistent history.
  /// - Throws: as `batchInsert`.
  @discardableResult
  public func create<Object: StoredObject>(
    _ object: Object, author: ChangeAuthor = .storetool
  ) async throws -> TypedObjectID<Object> {
    try await transaction(StoreRequest(.create, of: Object.entityName), author: author) {
      try $0.create(object)
    }
  }

  /// Adds rows, all or none.
  ///
  /// - Parameters:
  ///   - objects: the values of the rows.
  ///   - author: who makes the change, for the persistent history.
  /// - Returns: the object IDs, in the order of the objects.
  /// - Throws: as `batchInsert`.
  @discardableResult
  public func create<Object: StoredObject>(
    _ objects: [Object], author: ChangeAuthor = .storetool
  ) async throws -> [TypedObjectID<Object>] {
    try await transaction(StoreRequest(.create, of: Object.entityName), author: author) {
      try $0.create(objects)
    }
  }

  /// Adds a row, or changes the one that is there.
  ///
  ///     let id = try await store.createOrUpdate(Team(name: "Tigers", points: 3))
  ///
  /// The row that is there is the one with the same values of a uniqueness constraint of the entity or of
  /// one that it inherits from. All properties that the type has and that differ become those of
  /// `object`, nil among them; others, as to-many relationships, stay.
  ///
  /// - Parameters:
  ///   - object: the values of the row.
  ///   - author: who makes the change, for the persistent history.
  /// - Throws: as `batchInsert`; `invalidRequest` for an entity without uniqueness constraint.
  @discardableResult
  public func createOrUpdate<Object: StoredObject>(
    _ object: Object, author: ChangeAuthor = .storetool
  ) async throws -> TypedObjectID<Object> {
    try await transaction(StoreRequest(.createOrUpdate, of: Object.entityName), author: author) {
      try $0.createOrUpdate(object)
    }
  }

  /// Changes properties of one row; those that are not named stay, whatever they are meanwhile.
  ///
  ///     try await store.update(id) { $0.title = "Sencha" }
  ///
  /// - Parameters:
  ///   - id: the row.
  ///   - author: who makes the change, for the persistent history.
  ///   - change: sets the new values.
  /// - Returns: false when the row had these values.
  /// - Throws: as `batchUpdate`; `noObject` when the row is not there.
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

  /// Makes a row what a value says that was read and then changed.
  ///
  ///     if var product = try await store.object(id) {
  ///       product.amount += 1
  ///       try await store.update(product)
  ///     }
  ///
  /// Only properties that differ from the row are written: one that somebody else has changed since the
  /// value was read gets its former value back. `update(_:author:_:)` names what is to change; to read and change in
  /// one, use `transaction`.
  ///
  /// - Parameters:
  ///   - object: the values of the row.
  ///   - author: who makes the change, for the persistent history.
  /// - Returns: false when the row had these values.
  /// - Throws: as `batchUpdate`; `noObject` when the row is not there.
  @discardableResult
  public func update<Object: StoredObject>(
    _ object: Stored<Object>, author: ChangeAuthor = .storetool
  ) async throws -> Bool {
    try await transaction(StoreRequest(.update, of: Object.entityName), author: author) {
      try $0.update(object)
    }
  }

  /// Deletes one row, by the model's delete rules.
  ///
  /// - Parameters:
  ///   - id: the row.
  ///   - author: who makes the change, for the persistent history.
  /// - Returns: what went with it.
  /// - Throws: as `batchDelete`; `noObject` when the row is not there.
  @discardableResult
  public func remove<Object: StoredObject>(
    _ id: TypedObjectID<Object>, author: ChangeAuthor = .storetool
  ) async throws -> DeletionResult {
    try await transaction(StoreRequest(.remove, of: Object.entityName), author: author) {
      try $0.remove(id)
    }
  }
}
