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
  ) -> TransactionBatch<Object, UpdateResult> {
    var changes = Changes<Object>()
    change(&changes)
    let request = BatchUpdate(
      entity: Object.entityName, values: changes.assignments, validates: validates)
    return TransactionBatch { predicate, includesSubentities in
      var request = request
      (request.predicate, request.includesSubentities) = (predicate, includesSubentities)
      return try self.batchUpdate(request)
    }
  }

  /// A deletion of rows of a type; `where` or `everywhere` runs it.
  ///
  ///     try transaction.batchDelete(Item.self).where(\.done == true)
  public func batchDelete<Object: StoredObject>(
    _: Object.Type, rules: BatchDelete.Rules = .model
  ) -> TransactionBatch<Object, DeletionResult> {
    let request = BatchDelete(entity: Object.entityName, rules: rules)
    return TransactionBatch { predicate, includesSubentities in
      var request = request
      (request.predicate, request.includesSubentities) = (predicate, includesSubentities)
      return try self.batchDelete(request)
    }
  }

  /// Adds objects as rows, all or none.
  ///
  /// - Throws: as for records.
  @discardableResult
  public func batchInsert<Objects: Sequence>(
    _ objects: Objects, onConflict policy: ConflictPolicy = .fail, validates: Bool = true
  ) throws -> InsertResult where Objects.Element: StoredObject {
    try batchInsert(
      objects.lazy.map(\.propertyValues), into: Objects.Element.entityName, onConflict: policy,
      validates: validates)
  }
}

/// New values, or a deletion, on the way to the rows of a type, in a transaction.
public struct TransactionBatch<Object: StoredObject, Summary> {
  private var includesSubentities = true
  private let run: (FormatPredicate?, Bool) throws -> Summary

  /// - Parameter run: is given the rows' predicate, nil for all, and whether those of sub-entities are meant.
  init(_ run: @escaping (FormatPredicate?, Bool) throws -> Summary) {
    self.run = run
  }

  /// Leaves out rows of entities that inherit from this one.
  public func withoutSubentities() -> Self {
    var copy = self
    copy.includesSubentities = false
    return copy
  }

  /// Changes or deletes the rows that match.
  ///
  /// - Throws: as `StoreTransaction.batchUpdate` or `batchDelete`.
  @discardableResult
  public func `where`(_ condition: Condition<Object>) throws -> Summary {
    try run(condition.predicate, includesSubentities)
  }

  /// Changes or deletes the rows that match a predicate.
  ///
  /// - Throws: as `StoreTransaction.batchUpdate` or `batchDelete`.
  @discardableResult
  public func `where`(_ predicate: FormatPredicate) throws -> Summary {
    try run(predicate, includesSubentities)
  }

  /// Changes or deletes all rows.
  ///
  /// - Throws: as `StoreTransaction.batchUpdate` or `batchDelete`.
  @discardableResult
  public func everywhere() throws -> Summary { try run(nil, includesSubentities) }
}
