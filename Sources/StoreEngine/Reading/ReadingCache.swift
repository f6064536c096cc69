import PredicateSQL
import SQLiteAccess
import Synchronization

/// The requests of a store that were compiled last, by their shape.
///
/// What a request becomes depends on nothing but the request and the store's layout and UUID, which stay as long as it
/// is open: what is in here is never out of date.
final class ReadingCache: Sendable {
  private struct Entry {
    /// Nil for a shape whose requests have to be compiled each.
    var template: QueryTemplate?
    var plan: ReadingPlan
    var lastUse: Int
  }

  private struct State {
    var entries: [RequestShape: Entry] = [:]
    var useCount = 0
  }

  private let limit: Int
  private let state = Mutex(State())

  /// - Parameter limit: how many shapes are kept.
  init(limit: Int = 256) {
    self.limit = limit
  }

  var count: Int { state.withLock { $0.entries.count } }

  /// Nil for a request that has to be compiled.
  func reading(of shape: RequestShape) -> RowReading? {
    let entry = state.withLock { state -> Entry? in
      guard let index = state.entries.index(forKey: shape) else { return nil }
      state.useCount += 1
      state.entries.values[index].lastUse = state.useCount
      return state.entries.values[index]
    }
    guard let entry, let statement = entry.template?.bound(for: shape) else { return nil }
    return RowReading(statement, by: entry.plan)
  }

  func knows(_ shape: RequestShape) -> Bool {
    state.withLock { $0.entries[shape] != nil }
  }

  func add(_ template: QueryTemplate?, _ plan: ReadingPlan, for shape: RequestShape) {
    state.withLock { state in
      state.useCount += 1
      state.entries[shape] = Entry(template: template, plan: plan, lastUse: state.useCount)
      guard state.entries.count > limit,
        let oldest = state.entries.min(by: { $0.value.lastUse < $1.value.lastUse })
      else { return }
      state.entries[oldest.key] = nil
    }
  }
}
