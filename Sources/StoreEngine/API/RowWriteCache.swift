import SQLiteAccess
import StoreCore
import StoreLayout
import StoreModel
import StorePredicate
import Synchronization

/// The compiled writes of single rows. They depend only on the store's layout and UUID, which don't change while the
/// store is open.
final class RowWriteCache: Sendable {
  private struct UpdateShape: Hashable {
    var entity: String
    var properties: [String]
  }

  private struct State {
    var insertions: [String: RowEncoder] = [:]
    var deletions: [String: RowDeletion?] = [:]
    var updates: [UpdateShape: RowUpdate?] = [:]
  }

  /// The maximum number of updates. When there are more, all are removed.
  private static let limit = 256

  private let layout: StoreLayout
  private let storeUUID: String
  private let state = Mutex(State())

  init(for layout: StoreLayout, storeUUID: String) {
    (self.layout, self.storeUUID) = (layout, storeUUID)
  }

  /// Returns an encoder of new rows that hasn't encoded a record, with its plan.
  ///
  /// - Throws: `InsertPlanError`
  func insertion(into entity: String) throws(InsertPlanError) -> RowEncoder {
    if let known = state.withLock({ $0.insertions[entity] }) { return known }
    let encoder = RowEncoder(try InsertPlan(entity: entity, in: layout), store: storeUUID)
    state.withLock { $0.insertions[entity] = encoder }
    return encoder
  }

  /// Returns the deletion of a row, or nil if it must be run as a batch delete.
  ///
  /// - Throws: the errors of a batch delete.
  func deletion(of id: ObjectID) throws -> RowDeletion? {
    guard isLocal(id) else { return nil }
    if let known = state.withLock({ $0.deletions[id.entity] }) { return known }
    let deletion = try RowDeletion(of: id.entity, in: layout, storeUUID: storeUUID)
    state.withLock { $0.deletions[id.entity] = .some(deletion) }
    return deletion
  }

  /// Returns the update of a row, or nil if it must be run as a batch update.
  ///
  /// - Throws: the errors of a batch update.
  func update(
    of id: ObjectID, _ assignments: [BatchUpdate.Assignment]
  ) throws -> RowUpdate? {
    let isConstant = assignments.allSatisfy { assignment in
      if case .constant = assignment.value.kind { true } else { false }
    }
    // A computed value isn't a part of the shape.
    guard isLocal(id), isConstant else { return nil }
    let shape = UpdateShape(entity: id.entity, properties: assignments.map(\.property))
    if let known = state.withLock({ $0.updates[shape] }) { return known }
    let update = try RowUpdate(of: id.entity, assignments, in: layout, storeUUID: storeUUID)
    state.withLock { state in
      if state.updates.count >= Self.limit { state.updates = [:] }
      state.updates[shape] = .some(update)
    }
    return update
  }

  /// Returns whether the ID has this store, or no store. Another ID is an error, which the batch request throws.
  private func isLocal(_ id: ObjectID) -> Bool { id.store == nil || id.store == storeUUID }
}
