import PredicateSQL
import SQLiteAccess
import StoreDiagnostics
import StoreLayout
import StoreModel
import StoreCore

/// A request that is ready to be read.
struct RowReading {
  private let statement: RenderedSQL
  private let plan: ReadingPlan

  init(_ statement: RenderedSQL, by plan: ReadingPlan) {
    (self.statement, self.plan) = (statement, plan)
  }

  func rows<Row>(
    on connection: Connection, _ cancellation: Cancellation,
    _ decode: (inout PackedRowReader, inout [Row]) throws -> Void
  ) throws -> [Row] {
    var rows: [Row] = []
    var batches = RowBatches(try connection.prepareKept(statement))
    while let batch = try batches.next() {
      var reader = PackedRowReader(batch, by: plan, rowsBefore: rows.count)
      try decode(&reader, &rows)
      try cancellation.check()
    }
    return rows
  }
}

extension PersistentStore {
  /// Checks and compiles a request, unless one of its shape was compiled before.
  ///
  /// - Parameter run: is told which of both.
  /// - Throws: `CheckErrors` for a request that does not fit the model.
  func reading(of request: StoreModel.StoreFetchRequest, _ run: RequestRun?) throws -> RowReading {
    let shape = RequestShape(of: request)
    let known = shape.flatMap { readings.reading(of: $0) }
    run?.noteCompilation(isReused: known != nil)
    if let known { return known }
    let query = try request.sql(in: layout, storeUUID: store.metadata.uuid)
    let plan = ReadingPlan(query, for: request, in: store, layout)
    if let shape, !readings.knows(shape) {
      let template = QueryTemplate(query, of: shape, in: layout, storeUUID: store.metadata.uuid)
      readings.add(template, plan, for: shape)
    }
    return RowReading(RenderedSQL(query.sql), by: plan)
  }
}
