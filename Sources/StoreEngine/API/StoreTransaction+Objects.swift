public import StoreModel
import StorePredicate
import StoreCore
import StoreLayout

// Requests for single objects. Each function that writes runs a batch request, with the same rules, history and errors.
extension StoreTransaction {
  /// Inserts a row.
  ///
  /// - Parameter object: the values of the row.
  /// - Returns: the object ID of the row.
  /// - Throws: `StoreError` with the reason `invalidRequest` if the entity or a property doesn't exist, `invalidData`
  ///   if the model doesn't allow a value, `notUnique`, `locked`, or `inputOutput`; `CancellationError`.
  @discardableResult
  public func create<Object: StoredObject>(_ object: Object) throws -> TypedObjectID<Object> {
    try create([object])[0]
  }

  /// Inserts rows. If one of them is rejected, no rows are inserted.
  ///
  /// - Parameter objects: the values of the rows.
  /// - Returns: the object IDs, in the order of `objects`.
  /// - Throws: `StoreError` with the reason `invalidRequest` if the entity or a property doesn't exist, `invalidData`
  ///   if the model doesn't allow a value, `notUnique`, `locked`, or `inputOutput`; `CancellationError`.
  @discardableResult
  public func create<Object: StoredObject>(_ objects: [Object]) throws -> [TypedObjectID<Object>] {
    try insertedIDs(of: objects, onConflict: .fail)
  }

  /// Inserts a row, or updates the existing row with the same values of a uniqueness constraint. All properties of the
  /// Swift type are set, including nil.
  ///
  /// - Parameter object: the values of the row.
  /// - Returns: the object ID of the row.
  /// - Throws: `StoreError` with the reason `invalidRequest` if the entity has no uniqueness constraint, `invalidData`
  ///   if the model doesn't allow a value, `notUnique`, `locked`, or `inputOutput`; `CancellationError`.
  @discardableResult
  public func createOrUpdate<Object: StoredObject>(
    _ object: Object
  ) throws -> TypedObjectID<Object> {
    let constraints = try translating {
      try InsertPlan(entity: Object.entityName, in: owner.layout).uniqueness.map(\.properties)
    }
    guard !constraints.isEmpty else {
      throw StoreError.noUniqueKey(Object.entityName)
    }
    if let id = try insertedIDs(of: [object], onConflict: .update).first { return id }
    // The existing row already has these values.
    let values = object.propertyValues
    for constraint in constraints {
      let equal = constraint.compactMap { key in
        values[key].map { value in
          FormatPredicate.comparison(
            FormatComparison(FormatExpression(property: key), .equal, .value(value)))
        }
      }
      let isWhole = equal.count == constraint.count
      guard isWhole, !constraint.contains(where: { values[$0] == .null }) else { continue }
      let same = Object.all.where(TypedCondition(equal.count == 1 ? equal[0] : .and(equal))).ids
      if let id = try first(same) { return id }
    }
    throw StoreError.noUniqueKey(Object.entityName)
  }

  /// Changes properties of one row. Other properties keep their current values.
  ///
  ///     try transaction.update(id) { $0.title = "Sencha" }
  ///
  /// - Parameters:
  ///   - row: the row or its object ID.
  ///   - change: sets the new values.
  /// - Returns: `false` if the row already had these values.
  /// - Throws: `StoreError` with the reason `noObject` if the row doesn't exist, `invalidRequest` if the request
  ///   doesn't fit the model, `invalidData` if the model doesn't allow a new value, `notUnique`, `locked`, or
  ///   `inputOutput`; `CancellationError`.
  @discardableResult
  public func update<Object: StoredObject>(
    _ row: some ObjectReference<Object>, _ change: (inout Changes<Object>) -> Void
  ) throws -> Bool {
    var changes = Changes<Object>()
    change(&changes)
    return try update(row.id, by: changes)
  }

  /// Updates a row from a value that was fetched and then changed. Only properties that differ from the row are
  /// written.
  ///
  /// - Parameter object: the values of the row.
  /// - Returns: `false` if the row already had these values.
  /// - Throws: `StoreError` with the reason `noObject` if the row doesn't exist, `invalidRequest` if the request
  ///   doesn't fit the model, `invalidData` if the model doesn't allow a new value, `notUnique`, `locked`, or
  ///   `inputOutput`; `CancellationError`.
  @discardableResult
  public func update<Object: StoredObject>(_ object: Stored<Object>) throws -> Bool {
    guard let present = try self.object(object.id) else {
      throw StoreError.noObject(object.id.objectID)
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
      guard try object(id) != nil else { throw StoreError.noObject(id.objectID) }
      return false
    }
    let outcome: UpdateResult
    do {
      outcome =
        try updateRow(id.objectID, assignments)
        ?? batchUpdate(
          BatchUpdate(entity: id.objectID.entity, values: assignments, predicate: id.predicate))
    } catch let error as StoreError {
      throw error.about(id.objectID)
    }
    guard outcome.matched > 0 else { throw StoreError.noObject(id.objectID) }
    return outcome.changed > 0
  }

  /// Deletes one row and applies the model's delete rules.
  ///
  /// - Parameter row: the row or its object ID.
  /// - Returns: the number of deleted rows and cleared references.
  /// - Throws: `StoreError` with the reason `noObject` if the row doesn't exist, `deletionDenied` if a delete rule, a
  ///   required reference or a minimum number of members forbids the deletion, `locked`, or `inputOutput`;
  ///   `CancellationError`.
  @discardableResult
  public func delete<Object: StoredObject>(
    _ row: some ObjectReference<Object>
  ) throws -> DeletionResult {
    let id = row.id
    let outcome =
      try deleteRow(id.objectID)
      ?? batchDelete(BatchDelete(entity: id.objectID.entity, predicate: id.predicate))
    guard outcome.deletedCount > 0 else { throw StoreError.noObject(id.objectID) }
    return outcome
  }
}

// The short forms of requests for single objects. If they return nil, nothing has changed, and the batch request must
// be run.
extension StoreTransaction {
  private func updateRow(
    _ id: ObjectID, _ assignments: [BatchUpdate.Assignment]
  ) throws -> UpdateResult? {
    try nested {
      guard let update = try owner.rowWrites.update(of: id, assignments),
        let outcome = try update.run(
          assignments, key: id.primaryKey, in: open, owner.layout)
      else { return nil }
      run?.count(rows: outcome.changed)
      return outcome
    }
  }

  private func deleteRow(_ id: ObjectID) throws -> DeletionResult? {
    try nested {
      guard let deletion = try owner.rowWrites.deletion(of: id),
        let findings = try deletion.run(key: id.primaryKey, in: open, owner.layout)
      else { return nil }
      run?.count(rows: findings.deletedCount)
      return DeletionResult(
        deleted: findings.deleted, nullified: findings.nullified, dangling: findings.dangling)
    }
  }
}
