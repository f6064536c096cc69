import PredicateSQL
import SQLiteAccess
package import StoreCore
import StoreLayout
public import StoreModel
public import StorePredicate

/// A write transaction: what `PersistentStore.transaction` gives to its closure, and what ends with it.
///
/// Each writing request leaves nothing when it throws, so that the closure may catch its error and go on.
public final class StoreTransaction: StoreSnapshot {
  let open: OpenTransaction

  /// For work that nobody follows.
  package convenience init(_ open: OpenTransaction, of owner: PersistentStore) {
    self.init(open, of: owner, nil)
  }

  init(_ open: OpenTransaction, of owner: PersistentStore, _ run: RequestRun?) {
    self.open = open
    super.init(of: owner, on: open.connection, open.cancellation, run)
  }

  /// Runs a part of the transaction: when `body` throws, what it has written is taken back, and the transaction goes on
  /// with whoever catches the error.
  ///
  ///     for record in records {
  ///       do { try transaction.nested { try add(record, to: transaction) } } catch { rejected.append(record) }
  ///     }
  ///
  /// - Throws: what `body` throws.
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

  /// Gives all rows that match their new values, as `PersistentStore.batchUpdate` does.
  ///
  /// - Throws: as there.
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

  /// Deletes all rows that match, as `PersistentStore.batchDelete` does. Files of large values go when the transaction
  /// is committed.
  ///
  /// - Throws: as there.
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

  /// Links all rows of two sides that match, or ends their links, as `PersistentStore.batchLink` does.
  ///
  /// - Throws: as there.
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

  /// Adds records as rows of one entity, all or none, as `PersistentStore.batchInsert` does.
  ///
  /// - Parameters:
  ///   - records: read on another thread, while this one waits for it.
  ///   - entity: the name of the entity.
  ///   - policy: what happens to a record whose unique values a row has.
  ///   - key: attributes that identify a row, in place of the entity's uniqueness constraints.
  ///   - validates: false skips the model's rules for values beyond their type.
  ///   - result: what to return. The default is the counts.
  ///   - progress: called on another thread with the rows done so far.
  /// - Throws: as there.
  @discardableResult
  public func batchInsert<Records: Sequence, Returned>(
    _ records: Records, into entity: String, onConflict policy: ConflictPolicy = .fail,
    key: [String] = [], validates: Bool = true,
    returning result: BatchResult<InsertResult, Returned> = .count,
    progress: (@Sendable (BatchProgress) -> Void)? = nil
  ) throws -> Returned where Records.Element == [String: Value] {
    let total = (records as? any Collection)?.count
    var iterator = records.makeIterator()
    // The one thread that calls it has them until the request is over.
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

  /// The IDs of the rows that objects have become, in their order; fewer where a row had a record's values already.
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
  /// New values for rows of a type; `where` or `everywhere` runs it.
  ///
  ///     try transaction.batchUpdate(Item.self) { $0.done = true }.where(\.done == false)
  ///
  /// - Parameters:
  ///   - type: the type of the rows.
  ///   - validates: false leaves out what the model asks of values beyond their type.
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
