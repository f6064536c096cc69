public import StoreModel
import StorePredicate

// Single objects. Each is a batch request for one row, so rules, history and errors are those of the
// batch requests.
extension PersistentStore {
  /// Adds a row.
  ///
  ///     let id = try await store.create(Product(title: "Sencha"))
  ///
  /// - Throws: as `batchInsert`.
  @discardableResult
  public func create<Object: StoredObject>(_ object: Object) async throws -> TypedObjectID<Object> {
    try await create([object])[0]
  }

  /// Adds rows, all or none.
  ///
  /// - Returns: the object IDs, in the order of the objects.
  /// - Throws: as `batchInsert`.
  @discardableResult
  public func create<Object: StoredObject>(
    _ objects: [Object]
  ) async throws -> [TypedObjectID<Object>] {
    var ids: [TypedObjectID<Object>] = []
    for try await id in try await batchInsert(objects, returning: .objectIDs) { ids.append(id) }
    return ids
  }

  /// Adds a row, or changes the one that is there.
  ///
  ///     let id = try await store.createOrUpdate(Team(name: "Tigers", points: 3))
  ///
  /// The row that is there is the one with the same values of a uniqueness constraint of the entity or of
  /// one that it inherits from. All properties that the type has and that differ become those of
  /// `object`, nil among them; others, as to-many relationships, stay.
  ///
  /// - Throws: as `batchInsert`; `invalidRequest` for an entity without uniqueness constraint.
  @discardableResult
  public func createOrUpdate<Object: StoredObject>(
    _ object: Object
  ) async throws -> TypedObjectID<Object> {
    let constraints = try await perform { [self] _ in
      try InsertPlan(entity: Object.entityName, in: layout).uniqueness.map(\.properties)
    }
    guard !constraints.isEmpty else {
      throw ObjectRequestError.noUniqueKey(Object.entityName).failure
    }
    let ids = try await batchInsert([object], onConflict: .update, returning: .objectIDs)
    for try await id in ids { return id }
    // The row that is there had these values.
    let values = object.propertyValues
    for constraint in constraints {
      let equal = constraint.compactMap { key in
        values[key].map { value in
          Predicate.comparison(
            Comparison(Expression(property: key), .equal, .value(value)))
        }
      }
      let isWhole = equal.count == constraint.count
      guard isWhole, !constraint.contains(where: { values[$0] == .null }) else { continue }
      let same = Object.all.where(equal.count == 1 ? equal[0] : .and(equal)).ids
      if let id = try await first(same) { return id }
    }
    throw ObjectRequestError.noUniqueKey(Object.entityName).failure
  }

  /// Changes properties of one row; those that are not named stay, whatever they are meanwhile.
  ///
  ///     try await store.update(id) { $0.title = "Sencha" }
  ///
  /// - Returns: false when the row had these values.
  /// - Throws: as `batchUpdate`; `noObject` when the row is not there.
  @discardableResult
  public func update<Object: StoredObject>(
    _ id: TypedObjectID<Object>, _ change: (inout Changes<Object>) -> Void
  ) async throws -> Bool {
    var changes = Changes<Object>()
    change(&changes)
    return try await update(id, by: changes.assignments)
  }

  /// Makes a row what a value says that was read and then changed.
  ///
  ///     if var product = try await store.object(id) {
  ///       product.amount += 1
  ///       try await store.update(product)
  ///     }
  ///
  /// Only properties that differ from the row are written: one that somebody else has changed since the
  /// value was read gets its former value back. `update(_:_:)` names what is to change.
  ///
  /// - Returns: false when the row had these values.
  /// - Throws: as `batchUpdate`; `noObject` when the row is not there.
  @discardableResult
  public func update<Object: StoredObject>(_ object: Stored<Object>) async throws -> Bool {
    guard let present = try await self.object(object.id) else {
      throw ObjectRequestError.noObject(object.id.objectID).failure
    }
    let values = present.value.propertyValues
    let changes = object.value.propertyValues.filter { values[$0.key] != $0.value }
      .sorted { $0.key < $1.key }
    return try await update(
      object.id, by: changes.map { BatchUpdate.Assignment($0.key, .value($0.value)) })
  }

  private func update<Object: StoredObject>(
    _ id: TypedObjectID<Object>, by assignments: [BatchUpdate.Assignment]
  ) async throws -> Bool {
    guard !assignments.isEmpty else {
      guard try await object(id) != nil else {
        throw ObjectRequestError.noObject(id.objectID).failure
      }
      return false
    }
    let outcome = try await batchUpdate(
      BatchUpdate(entity: id.objectID.entity, values: assignments, predicate: id.predicate))
    guard outcome.matched > 0 else { throw ObjectRequestError.noObject(id.objectID).failure }
    return outcome.changed > 0
  }

  /// Deletes one row, by the model's delete rules.
  ///
  /// - Returns: what went with it.
  /// - Throws: as `batchDelete`; `noObject` when the row is not there.
  @discardableResult
  public func remove<Object: StoredObject>(
    _ id: TypedObjectID<Object>
  ) async throws -> DeletionOutcome {
    let outcome = try await batchDelete(
      BatchDelete(entity: id.objectID.entity, predicate: id.predicate))
    guard outcome.deletedCount > 0 else { throw ObjectRequestError.noObject(id.objectID).failure }
    return outcome
  }
}
