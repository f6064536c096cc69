public import StoreModel
import StorePredicate
import StoreCore

// Single objects. Each is a batch request for one row, so rules, history and errors are those of the
// batch requests.
extension StoreTransaction {
  /// Adds a row.
  ///
  /// - Throws: as `batchInsert`.
  @discardableResult
  public func create<Object: StoredObject>(_ object: Object) throws -> TypedObjectID<Object> {
    try create([object])[0]
  }

  /// Adds rows, all or none.
  ///
  /// - Returns: the object IDs, in the order of the objects.
  /// - Throws: as `batchInsert`.
  @discardableResult
  public func create<Object: StoredObject>(_ objects: [Object]) throws -> [TypedObjectID<Object>] {
    try insertedIDs(of: objects, onConflict: .fail)
  }

  /// Adds a row, or changes the one that is there, as `PersistentStore.createOrUpdate` does.
  ///
  /// - Throws: as `batchInsert`; `invalidRequest` for an entity without uniqueness constraint.
  @discardableResult
  public func createOrUpdate<Object: StoredObject>(
    _ object: Object
  ) throws -> TypedObjectID<Object> {
    let constraints = try translating {
      try InsertPlan(entity: Object.entityName, in: owner.layout).uniqueness.map(\.properties)
    }
    guard !constraints.isEmpty else {
      throw ObjectRequestError.noUniqueKey(Object.entityName).failure
    }
    if let id = try insertedIDs(of: [object], onConflict: .update).first { return id }
    // The row that is there had these values.
    let values = object.propertyValues
    for constraint in constraints {
      let equal = constraint.compactMap { key in
        values[key].map { value in
          FormatPredicate.comparison(
            Comparison(FormatExpression(property: key), .equal, .value(value)))
        }
      }
      let isWhole = equal.count == constraint.count
      guard isWhole, !constraint.contains(where: { values[$0] == .null }) else { continue }
      let same = Object.all.where(equal.count == 1 ? equal[0] : .and(equal)).ids
      if let id = try first(same) { return id }
    }
    throw ObjectRequestError.noUniqueKey(Object.entityName).failure
  }

  /// Changes properties of one row; those that are not named stay, whatever they are meanwhile.
  ///
  ///     try transaction.update(id) { $0.title = "Sencha" }
  ///
  /// - Returns: false when the row had these values.
  /// - Throws: as `batchUpdate`; `noObject` when the row is not there.
  @discardableResult
  public func update<Object: StoredObject>(
    _ id: TypedObjectID<Object>, _ change: (inout Changes<Object>) -> Void
  ) throws -> Bool {
    var changes = Changes<Object>()
    change(&changes)
    return try update(id, by: changes)
  }

  /// Makes a row what a value says that was read and then changed. Only properties that differ from the row are
  /// written.
  ///
  /// - Returns: false when the row had these values.
  /// - Throws: as `batchUpdate`; `noObject` when the row is not there.
  @discardableResult
  public func update<Object: StoredObject>(_ object: Stored<Object>) throws -> Bool {
    guard let present = try self.object(object.id) else {
      throw ObjectRequestError.noObject(object.id.objectID).failure
    }
    let values = present.value.propertyValues
    let changes = object.value.propertyValues.filter { values[$0.key] != $0.value }
      .sorted { $0.key < $1.key }
    return try update(
      object.id, assigning: changes.map { BatchUpdate.Assignment($0.key, .value($0.value)) })
  }

  func update<Object: StoredObject>(
    _ id: TypedObjectID<Object>, by changes: Changes<Object>
  ) throws -> Bool {
    try update(id, assigning: changes.assignments)
  }

  private func update<Object: StoredObject>(
    _ id: TypedObjectID<Object>, assigning assignments: [BatchUpdate.Assignment]
  ) throws -> Bool {
    guard !assignments.isEmpty else {
      guard try object(id) != nil else { throw ObjectRequestError.noObject(id.objectID).failure }
      return false
    }
    let outcome = try batchUpdate(
      BatchUpdate(entity: id.objectID.entity, values: assignments, predicate: id.predicate))
    guard outcome.matched > 0 else { throw ObjectRequestError.noObject(id.objectID).failure }
    return outcome.changed > 0
  }

  /// Deletes one row, by the model's delete rules.
  ///
  /// - Returns: what went with it.
  /// - Throws: as `batchDelete`; `noObject` when the row is not there.
  @discardableResult
  public func remove<Object: StoredObject>(_ id: TypedObjectID<Object>) throws -> DeletionResult {
    let outcome = try batchDelete(
      BatchDelete(entity: id.objectID.entity, predicate: id.predicate))
    guard outcome.deletedCount > 0 else { throw ObjectRequestError.noObject(id.objectID).failure }
    return outcome
  }
}
