public import StoreEngine
public import StoreModel
import StorePredicate

/// What a `CustomStep` works with: the store as the old version has it, and as the new one has it.
///
/// Both end with the step.
public struct StepContext {
  /// The rows as they were, to be read with the types of the old version. Where the step is between others, also what
  /// comes from versions before and is kept for versions behind.
  public let old: StoreSnapshot
  /// The rows as they have become, with the types of the new version.
  public let new: StoreTransaction
  let moves: [RowMove]

  /// What has become of an object of the old version; nil where it has gone, or become one of another entity.
  ///
  /// - Throws: `StoreError`
  public func successor<Old: StoredObject, New: StoredObject>(
    of id: TypedObjectID<Old>, as _: New.Type
  ) throws -> TypedObjectID<New>? {
    let old = id.objectID
    for move in moves where move.source == old.entity {
      let (key, overflows) = old.primaryKey.addingReportingOverflow(move.offset)
      let moved = ObjectID(store: old.store, entity: move.target, primaryKey: key)
      guard !overflows, let found = TypedObjectID<New>(moved) else { continue }
      // A filter may have left it behind.
      if try new.fetch(New.all.where(found.predicate).count) > 0 { return found }
    }
    return nil
  }
}
