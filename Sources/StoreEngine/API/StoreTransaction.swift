import PredicateSQL
import SQLiteAccess
package import StoreCore
import StoreLayout
public import StoreModel
public import StorePredicate

/// A write transaction. `PersistentStore.transaction` passes it to a closure. It is invalid after the closure returns.
///
/// A request that throws doesn't leave changes, so the closure can catch the error and continue. If an error such as a
/// full disk or a cancellation has ended the transaction, later requests throw too.
public final class StoreTransaction: StoreSnapshot {
  let open: OpenTransaction

  package init(_ open: OpenTransaction, of owner: PersistentStore, _ run: RequestRun? = nil) {
    self.open = open
    super.init(of: owner, on: open.connection, open.cancellation, run)
  }

  /// Runs a part of the transaction. If `body` throws, its changes are rolled back. The transaction continues if the
  /// closure catches the error.
  ///
  ///     for record in records {
  ///       do { try transaction.nested { try add(record, to: transaction) } } catch { rejected.append(record) }
  ///     }
  ///
  /// - Parameter body: runs the requests of the part.
  /// - Returns: the result of `body`.
  /// - Throws: the errors of `body`.
  public func nested<Result>(_ body: () throws -> Result) throws -> Result {
    try translating {
      try open.part {
        let result = try body()
        // A caught error may have ended the transaction.
        try requireOpen()
        return result
      }
    }
  }

  /// Sets new values in all rows that match a predicate. Rows that already have these values aren't written.
  ///
  /// - Parameters:
  ///   - request: the rows and their new values.
  ///   - result: what to return. The default is the counts.
  ///   - progress: called with the number of updated rows.
  /// - Returns: the requested form of the result.
  /// - Throws: `StoreError` with the reason `invalidRequest` if the request doesn't fit the model, `invalidData` if the
  ///   model doesn't allow a new value, `notUnique`, `locked`, or `inputOutput`; `CancellationError`.
  @discardableResult
  public func batchUpdate<Returned>(
    _ request: BatchUpdate, returning result: BatchResult<UpdateResult, Returned> = .count,
    progress: (@Sendable (BatchProgress) -> Void)? = nil
  ) throws -> Returned {
    try nested {
      let plan = try request.plan(in: owner.layout, storeUUID: owner.store.metadata.uuid)
      return try owner.finish(result, run) { keep in
        try open.update(
          by: plan, in: owner.layout, keepsKeys: keep != nil, progress: progress
        ) { try keep?(Store.updatedKeys.sql, $0) }
      }
    }
  }

  /// Deletes all rows that match a predicate, applies the model's delete rules, and clears references to the deleted
  /// rows. The external files of deleted values are removed after the transaction is committed.
  ///
  /// - Parameters:
  ///   - request: the rows to delete.
  ///   - result: what to return. The default is the counts.
  ///   - progress: called with the number of deleted rows.
  /// - Returns: the requested form of the result.
  /// - Throws: `StoreError` with the reason `deletionDenied` if a delete rule, a required reference or a minimum number
  ///   of members forbids the deletion, `invalidRequest` if the request doesn't fit the model, `locked`, or
  ///   `inputOutput`; `CancellationError`.
  @discardableResult
  public func batchDelete<Returned>(
    _ request: BatchDelete, returning result: BatchResult<DeletionResult, Returned> = .count,
    progress: (@Sendable (BatchProgress) -> Void)? = nil
  ) throws -> Returned {
    try nested {
      let plan = try request.plan(
        in: owner.layout, storeUUID: owner.store.metadata.uuid, knowsKeys: result.keepsKeys)
      return try owner.finish(result, run) { keep in
        DeletionResult(
          try open.delete(plan, in: owner.layout, progress: { progress?($0) }) { connection in
            try keep?(owner.store.deletedObjectIDs(of: plan).sql, connection)
          })
      }
    }
  }

  /// Links each row of an entity that matches a predicate to each destination row that matches another predicate, or
  /// unlinks these rows. Updates both sides of the relationship and the persistent history.
  ///
  /// - Parameters:
  ///   - request: the two sides, and whether to link or unlink them.
  ///   - result: what to return. The default is the counts.
  /// - Returns: the requested form of the result.
  /// - Throws: `StoreError` with the reason `invalidRequest` if the request doesn't fit the model or the position
  ///   doesn't exist, `invalidData` if a row would have too many or too few partners, `notUnique`, `locked`, or
  ///   `inputOutput`; `CancellationError`.
  @discardableResult
  public func batchLink<Returned>(
    _ request: BatchLink, returning result: BatchResult<LinkResult, Returned> = .count
  ) throws -> Returned {
    try nested {
      let plan = try request.plan(in: owner.layout, storeUUID: owner.store.metadata.uuid)
      return try owner.finish(result, run) { keep in
        try open.link(by: plan, in: owner.layout) { try keep?(Store.linkedKeys.sql, $0) }
      }
    }
  }

  /// Inserts records as rows of one entity. If one record is rejected, no rows are inserted.
  ///
  /// - Parameters:
  ///   - records: the records. They are read once.
  ///   - entity: the name of the entity.
  ///   - policy: what to do with a record if a row has the same unique values.
  ///   - key: the attributes that identify a row, instead of the entity's uniqueness constraints.
  ///   - validates: `false` skips the model's rules for values beyond their type, as Core Data's batch requests do.
  ///   - result: what to return. The default is the counts.
  ///   - progress: called with the number of processed records.
  /// - Returns: the requested form of the result.
  /// - Throws: `StoreError` with the reason `invalidRequest` if the entity or a property doesn't exist, `invalidData`
  ///   if the model doesn't allow a value, `notUnique`, `locked`, or `inputOutput`; `CancellationError`.
  @discardableResult
  public func batchInsert<Records: Sequence, Returned>(
    _ records: Records, into entity: String, onConflict policy: ConflictPolicy = .fail,
    key: [String] = [], validates: Bool = true,
    returning result: BatchResult<InsertResult, Returned> = .count,
    progress: (@Sendable (BatchProgress) -> Void)? = nil
  ) throws -> Returned where Records.Element == [String: DataValue] {
    let total = (records as? any Collection)?.count
    var iterator = records.makeIterator()
    // Only one thread calls it, until the request ends.
    nonisolated(unsafe) let next = { iterator.next() }
    return try nested {
      let plan = try InsertPlan(entity: entity, in: owner.layout)
      return try owner.finish(result, run) { keep in
        let batch = BatchInsert(
          plan, in: owner.layout, store: owner.store.metadata.uuid, on: policy,
          key: key, validates: validates, cancellation: cancellation, session: open.session,
          progress: { progress?(BatchProgress(rows: $0, total: total)) }, keepingKeys: keep)
        return try batch.run(input: "", on: connection) { ValueRecordReader(next: next) }
      }
    }
  }

  /// Inserts a few objects as new rows, and returns their IDs.
  private func insertedIDs<Object: StoredObject>(
    of objects: [Object]
  ) throws -> [TypedObjectID<Object>] {
    try nested {
      let encoder = try owner.rowWrites.insertion(into: Object.entityName)
      let uuid = owner.store.metadata.uuid
      let batch = BatchInsert(
        encoder.plan, in: owner.layout, store: uuid, cancellation: cancellation,
        session: open.session)
      let keys = try batch.insert(
        few: objects.map { $0.propertyValues }, by: encoder, on: connection)
      run?.count(rows: keys.count)
      return keys.map { key in
        TypedObjectID(
          trusted: ObjectID(store: uuid, entity: Object.entityName, primaryKey: key))
      }
    }
  }

  /// Inserts objects and returns the IDs of the inserted and changed rows. The IDs of inserted rows are in the order of
  /// the objects. There are fewer IDs if a row already had the values of an object.
  func insertedIDs<Object: StoredObject>(
    of objects: [Object], onConflict policy: ConflictPolicy
  ) throws -> [TypedObjectID<Object>] {
    if policy == .fail, objects.count <= BatchInsert.fewRecords {
      return try insertedIDs(of: objects)
    }
    let ids: ObjectIDs = try batchInsert(
      objects.lazy.map { $0.propertyValues }, into: Object.entityName, onConflict: policy,
      returning: .objectIDs)
    return try translating { try ids.kept.all(on: connection) }.map { TypedObjectID(trusted: $0) }
  }
}

extension StoreTransaction {
  /// Creates an update of rows of a type. `where` or `everywhere` runs it.
  ///
  ///     try transaction.batchUpdate(Item.self) { $0.done = true }.where(\.done == false)
  ///
  /// - Parameters:
  ///   - type: the type of the rows.
  ///   - validates: `false` skips the model's rules for values beyond their type, as Core Data's batch requests do.
  ///   - change: sets the new values.
  /// - Returns: the update, which hasn't been run yet.
  public func batchUpdate<Object: StoredObject>(
    _ type: Object.Type, validates: Bool = true, _ change: (inout Changes<Object>) -> Void
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

  /// Creates a deletion of rows of a type. `where` or `everywhere` runs it.
  ///
  ///     try transaction.batchDelete(Item.self).where(\.done == true)
  ///
  /// - Parameters:
  ///   - type: the type of the rows.
  ///   - rules: the delete rules to apply.
  /// - Returns: the deletion, which hasn't been run yet.
  public func batchDelete<Object: StoredObject>(
    _ type: Object.Type, rules: BatchDelete.Rules = .model
  ) -> TransactionBatch<Object, DeletionResult> {
    let request = BatchDelete(entity: Object.entityName, rules: rules)
    return TransactionBatch { predicate, includesSubentities in
      var request = request
      (request.predicate, request.includesSubentities) = (predicate, includesSubentities)
      return try self.batchDelete(request)
    }
  }

  /// Inserts objects as rows. If one of them is rejected, no rows are inserted.
  ///
  /// - Parameters:
  ///   - objects: the values of the rows.
  ///   - policy: what to do with a record if a row has the same unique values.
  ///   - validates: `false` skips the model's rules for values beyond their type, as Core Data's batch requests do.
  /// - Returns: the number of inserted and updated rows.
  /// - Throws: `StoreError` with the reason `invalidRequest` if the entity or a property doesn't exist, `invalidData`
  ///   if the model doesn't allow a value, `notUnique`, `locked`, or `inputOutput`; `CancellationError`.
  @discardableResult
  public func batchInsert<Objects: Sequence>(
    _ objects: Objects, onConflict policy: ConflictPolicy = .fail, validates: Bool = true
  ) throws -> InsertResult where Objects.Element: StoredObject {
    try batchInsert(
      objects.lazy.map { $0.propertyValues }, into: Objects.Element.entityName, onConflict: policy,
      validates: validates)
  }
}

/// An update or a deletion of rows of a type in a transaction, which hasn't been run yet.
public struct TransactionBatch<Object: StoredObject, Summary> {
  private var includesSubentities = true
  private let run: (FormatPredicate?, Bool) throws -> Summary

  /// - Parameter run: runs the request. Its arguments are the predicate of the rows (nil means all rows), and whether
  ///   rows of sub-entities are included.
  init(_ run: @escaping (FormatPredicate?, Bool) throws -> Summary) {
    self.run = run
  }

  /// Returns a request that excludes rows of sub-entities.
  ///
  /// - Returns: the request.
  public func withoutSubentities() -> Self {
    var copy = self
    copy.includesSubentities = false
    return copy
  }

  /// Changes or deletes the rows that match a condition.
  ///
  /// - Parameter condition: the condition.
  /// - Returns: the counts of the request.
  /// - Throws: `StoreError` if the request doesn't fit the model, or a row can't be changed or deleted;
  ///   `CancellationError`.
  @discardableResult
  public func `where`(_ condition: TypedCondition<Object>) throws -> Summary {
    try run(condition.predicate, includesSubentities)
  }

  /// Changes or deletes all rows.
  ///
  /// - Returns: the counts of the request.
  /// - Throws: `StoreError` if the request doesn't fit the model, or a row can't be changed or deleted;
  ///   `CancellationError`.
  @discardableResult
  public func everywhere() throws -> Summary { try run(nil, includesSubentities) }
}
