import PredicateSQL
import SQLiteAccess
import StoreCore
import StoreDiagnostics
import StoreLayout
import StoreModel
import Synchronization

/// The most recently used compiled requests of a store, by their shape: the request without the values that are only
/// bound to its statement (`RequestShape`).
///
/// A compiled request depends only on the request and on the store's layout and UUID. These don't change while the
/// store is open, so entries never become invalid.
final class ReadingCache: Sendable {
  private struct Entry {
    /// Nil if requests of the shape must be compiled individually.
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

  /// - Parameter limit: the maximum number of shapes.
  init(limit: Int = 256) {
    self.limit = limit
  }

  var count: Int { state.withLock { $0.entries.count } }

  /// Returns the compiled request with the values of `shape`, or nil if the request must be compiled.
  func reading(of shape: RequestShape) -> RowReading? {
    let entry = state.withLock { state -> Entry? in
      guard let index = state.entries.index(forKey: shape) else { return nil }
      state.useCount += 1
      state.entries.values[index].lastUse = state.useCount
      return state.entries.values[index]
    }
    guard let entry, let statement = entry.template?.bound(for: shape) else { return nil }
    return RowReading(statement: statement, plan: entry.plan)
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

/// A compiled request.
struct RowReading {
  let statement: RenderedSQL
  let plan: ReadingPlan

  /// - Parameter digest: receives all rows.
  func rows<Row>(
    on connection: Connection, _ cancellation: Cancellation, digest: RowDigest? = nil,
    _ decode: (inout PackedRowReader, inout [Row]) throws -> Void
  ) throws -> [Row] {
    var rows: [Row] = []
    var batches = RowBatches(try connection.prepareKept(statement), digest: digest)
    while let batch = try batches.next() {
      var reader = PackedRowReader(batch, by: plan, rowsBefore: rows.count)
      try decode(&reader, &rows)
      try cancellation.check()
    }
    return rows
  }
}

extension PersistentStore {
  /// Checks and compiles a request, or reuses a compiled request of the same shape.
  ///
  /// - Parameter run: counts compiled and reused requests.
  /// - Throws: `CheckErrors` if the request doesn't fit the model.
  func reading(of request: StoreModel.StoreFetchRequest, _ run: RequestRun?) throws -> RowReading {
    let shape = RequestShape(of: request)
    let known = shape.flatMap { readings.reading(of: $0) }
    run?.noteCompilation(isReused: known != nil)
    if let known { return known }
    let query = try request.sql(in: layout, storeUUID: store.metadata.uuid)
    let plan = ReadingPlan(query.columns, for: request, in: store, layout)
    if let shape, !readings.knows(shape) {
      let template = QueryTemplate(query, of: shape, in: layout, storeUUID: store.metadata.uuid)
      readings.add(template, plan, for: shape)
    }
    return RowReading(statement: RenderedSQL(query.sql), plan: plan)
  }
}
