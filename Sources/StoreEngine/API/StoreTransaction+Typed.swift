public import StoreModel
public import StorePredicate

extension StoreTransaction {
  /// New values for rows of a type; `where` or `everywhere` runs it.
  ///
  ///     try transaction.batchUpdate(Item.self) { $0.done = true }.where(\.done == false)
  ///
  /// - Parameter validates: false leaves out what the model asks of values beyond their type.
  public func batchUpdate<Object: StoredObject>(
    _: Object.Type, validates: Bool = true, _ change: (inout Changes<Object>) -> Void
  ) -> TransactionBatchUpdate<Object> {
    var changes = Changes<Object>()
    change(&changes)
    return TransactionBatchUpdate(
      transaction: self,
      request: BatchUpdate(
        entity: Object.entityName, values: changes.assignments, validates: validates))
  }

  /// A deletion of rows of a type; `where` or `everywhere` runs it.
  ///
  ///     try transaction.batchDelete(Item.self).where(\.done == true)
  public func batchDelete<Object: StoredObject>(
    _: Object.Type, rules: BatchDelete.Rules = .model
  ) -> TransactionBatchDelete<Object> {
    TransactionBatchDelete(
      transaction: self, request: BatchDelete(entity: Object.entityName, rules: rules))
  }

  /// Adds objects as rows, all or none.
  ///
  /// - Throws: as for records.
  @discardableResult
  public func batchInsert<Objects: Sequence>(
    _ objects: Objects, onConflict policy: ConflictPolicy = .fail, validates: Bool = true
  ) throws -> InsertOutcome where Objects.Element: StoredObject {
    try batchInsert(
      objects.lazy.map(\.propertyValues), into: Objects.Element.entityName, onConflict: policy,
      validates: validates)
  }
}

/// New values on their way to the rows of a type, in a transaction.
public struct TransactionBatchUpdate<Object: StoredObject> {
  let transaction: StoreTransaction
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
  /// - Throws: as `StoreTransaction.batchUpdate`.
  @discardableResult
  public func `where`(_ condition: Condition<Object>) throws -> UpdateOutcome {
    try run(condition.predicate)
  }

  /// Gives the rows that match a predicate their new values.
  ///
  /// - Throws: as `StoreTransaction.batchUpdate`.
  @discardableResult
  public func `where`(_ predicate: Predicate) throws -> UpdateOutcome { try run(predicate) }

  /// Gives all rows their new values.
  ///
  /// - Throws: as `StoreTransaction.batchUpdate`.
  @discardableResult
  public func everywhere() throws -> UpdateOutcome { try run(nil) }

  private func run(_ predicate: Predicate?) throws -> UpdateOutcome {
    var request = request
    request.predicate = predicate
    return try transaction.batchUpdate(request)
  }
}

/// A deletion on its way to the rows of a type, in a transaction.
public struct TransactionBatchDelete<Object: StoredObject> {
  let transaction: StoreTransaction
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
  /// - Throws: as `StoreTransaction.batchDelete`.
  @discardableResult
  public func `where`(_ condition: Condition<Object>) throws -> DeletionOutcome {
    try run(condition.predicate)
  }

  /// Deletes the rows that match a predicate.
  ///
  /// - Throws: as `StoreTransaction.batchDelete`.
  @discardableResult
  public func `where`(_ predicate: Predicate) throws -> DeletionOutcome { try run(predicate) }

  /// Deletes all rows.
  ///
  /// - Throws: as `StoreTransaction.batchDelete`.
  @discardableResult
  public func everywhere() throws -> DeletionOutcome { try run(nil) }

  private func run(_ predicate: Predicate?) throws -> DeletionOutcome {
    var request = request
    request.predicate = predicate
    return try transaction.batchDelete(request)
  }
}
