import PredicateSQL
import SQLiteAccess
package import StoreCore
import StoreLayout
public import StoreModel
public import StorePredicate

/// A write transaction, which `PersistentStore.transaction` passes to its closure, and which ends with the closure.
///
/// A request that throws doesn't leave changes, so the closure can catch its error and continue.
public final class StoreTransaction: StoreSnapshot {
  let open: OpenTransaction

  /// Creates a transaction for work without an observer.
  package convenience init(_ open: OpenTransaction, of owner: PersistentStore) {
    self.init(open, of: owner, nil)
  }

  init(_ open: OpenTransaction, of owner: PersistentStore, _ run: RequestRun?) {
    self.open = open
    super.init(of: owner, on: open.connection, open.cancellation, run)
  }

  /// Runs a part of the transaction. If `body` throws, its changes are rolled back, and the transaction can continue
  /// after the error is caught.
  ///
  ///     for record in records {
  ///       do { try transaction.nested { try add(record, to: transaction) } } catch { rejected.append(record) }
  ///     }
  ///
  /// - Parameter body: the requests of the part.
  /// - Returns: the result of `body`.
  /// - Throws: an error of `body`.
  public func nested<Result>(_ body: () throws -> Result) throws -> Result {
    try translating {
      try open.part {
        let result = try body()
        // An error that was caught can have ended the transaction.
        try requireOpen()
        return result
      }
    }
  }

  /// Sets new values in all rows that match. Rows that already have these values aren't written.
  ///
  /// - Parameters:
  ///   - request: the rows and their new values.
  ///   - result: the form of the result. The default is the counts.
  ///   - progress: is called on another thread with the number of rows so far.
  /// - Throws: `StoreError`: `invalidRequest`, `invalidData`, `notUnique`; `CancellationError`.
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

  /// Deletes all rows that match, and the rows that the model's delete rules cascade to. External files are removed
  /// when the transaction is committed.
  ///
  /// - Parameters:
  ///   - request: the rows to delete.
  ///   - result: the form of the result. The default is the counts.
  ///   - progress: is called on another thread with the number of rows so far.
  /// - Throws: `StoreError`: `deletionDenied`, `invalidRequest`; `CancellationError`.
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

  /// Links all rows that match on both sides of a relationship, or unlinks them.
  ///
  /// - Parameters:
  ///   - request: the two sides, and whether to link or unlink them.
  ///   - result: the form of the result. The default is the counts.
  /// - Throws: `StoreError`: `invalidRequest`, `invalidData`, `notUnique`; `CancellationError`.
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

  /// Inserts all records as rows of an entity, or none of them.
  ///
  /// - Parameters:
  ///   - records: the records, which are read on another thread while this one waits.
  ///   - entity: the name of the entity.
  ///   - policy: the behavior if a row has the unique values of a record.
  ///   - key: attributes that identify a row, instead of the entity's uniqueness constraints.
  ///   - validates: false skips the model's validation rules for values.
  ///   - result: the form of the result. The default is the counts.
  ///   - progress: is called on another thread with the number of rows so far.
  /// - Throws: `StoreError`: `invalidRequest`, `invalidData`, `notUnique`; `CancellationError`.
  @discardableResult
  public func batchInsert<Records: Sequence, Returned>(
    _ records: Records, into entity: String, onConflict policy: ConflictPolicy = .fail,
    key: [String] = [], validates: Bool = true,
    returning result: BatchResult<InsertResult, Returned> = .count,
    progress: (@Sendable (BatchProgress) -> Void)? = nil
  ) throws -> Returned where Records.Element == [String: Value] {
    let total = (records as? any Collection)?.count
    var iterator = records.makeIterator()
    // Only one thread calls it until the request ends.
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

  /// The IDs of the rows of objects, in their order. There are fewer if a row already had the values of an object.
  func insertedIDs<Object: StoredObject>(
    of objects: [Object], onConflict policy: ConflictPolicy
  ) throws -> [TypedObjectID<Object>] {
    let ids: ObjectIDs = try batchInsert(
      objects.lazy.map(\.propertyValues), into: Object.entityName, onConflict: policy,
      returning: .objectIDs)
    return try translating { try ids.kept.all(on: connection) }.map { TypedObjectID(trusted: $0) }
  }
}

extension StoreTransaction {
  /// Specifies new values for rows of a type. `where` or `everywhere` runs the request.
  ///
  ///     try transaction.batchUpdate(Item.self) { $0.done = true }.where(\.done == false)
  ///
  /// - Parameters:
  ///   - type: the type of the rows.
  ///   - validates: false skips the model's validation rules for values.
  ///   - change: sets the new values.
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

  /// Specifies the deletion of rows of a type. `where` or `everywhere` runs the request.
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

  /// Inserts all objects as rows, or none of them.
  ///
  /// - Parameters:
  ///   - objects: the objects.
  ///   - policy: the behavior if a row has the unique values of an object.
  ///   - validates: false skips the model's validation rules for values.
  /// - Throws: `StoreError`: `invalidRequest`, `invalidData`, `notUnique`; `CancellationError`.
  @discardableResult
  public func batchInsert<Objects: Sequence>(
    _ objects: Objects, onConflict policy: ConflictPolicy = .fail, validates: Bool = true
  ) throws -> InsertResult where Objects.Element: StoredObject {
    try batchInsert(
      objects.lazy.map(\.propertyValues), into: Objects.Element.entityName, onConflict: policy,
      validates: validates)
  }
}

/// New values or a deletion for rows of a type, in a transaction.
public struct TransactionBatch<Object: StoredObject, Summary> {
  private var includesSubentities = true
  private let run: (FormatPredicate?, Bool) throws -> Summary

  /// - Parameter run: runs the request with a predicate, or nil for all rows, and with or without subentities.
  init(_ run: @escaping (FormatPredicate?, Bool) throws -> Summary) {
    self.run = run
  }

  /// Excludes rows of subentities.
  public func withoutSubentities() -> Self {
    var copy = self
    copy.includesSubentities = false
    return copy
  }

  /// Changes or deletes the rows that match.
  ///
  /// - Parameter condition: the rows.
  /// - Returns: the counts.
  /// - Throws: `StoreError`: `invalidRequest`, `invalidData`, `notUnique`, `deletionDenied`; `CancellationError`.
  @discardableResult
  public func `where`(_ condition: Condition<Object>) throws -> Summary {
    try run(condition.predicate, includesSubentities)
  }

  /// Changes or deletes the rows that match a predicate.
  ///
  /// - Parameter predicate: the rows.
  /// - Returns: the counts.
  /// - Throws: `StoreError`: `invalidRequest`, `invalidData`, `notUnique`, `deletionDenied`; `CancellationError`.
  @discardableResult
  public func `where`(_ predicate: FormatPredicate) throws -> Summary {
    try run(predicate, includesSubentities)
  }

  /// Changes or deletes all rows.
  ///
  /// - Returns: the counts.
  /// - Throws: `StoreError`: `invalidRequest`, `invalidData`, `notUnique`, `deletionDenied`; `CancellationError`.
  @discardableResult
  public func everywhere() throws -> Summary { try run(nil, includesSubentities) }
}
