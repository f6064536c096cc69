import PredicateSQL
import SQLiteAccess
import StoreDiagnostics
import StoreLayout
import StoreModel
import StoreCore

/// What a stream reads.
struct StreamSource<Row: Sendable>: Sendable {
  let store: PersistentStore
  let request: StoreModel.StoreFetchRequest
  let batchSize: Int
  let countsTotal: Bool
  let decode: @Sendable (inout PackedRowReader, inout [Row]) throws -> Void
}

/// One pass over a stream. Its connection is opened for the first batch and closed with the cursor.
///
/// A task that is cancelled does not wait for what SQLite is at: a sort looks at no wish to end.
final class StreamCursor<Row: Sendable>: @unchecked Sendable {
  // Only work of `worker` touches it, one after the other.
  private var reading: StreamReading?
  // Only the one task touches it that asks for batches.
  private var run: RequestRun?
  private var isBegun = false
  private let source: StreamSource<Row>
  private let worker = SerialWorker(named: "storetool.stream")

  init(_ source: StreamSource<Row>) {
    self.source = source
  }

  deinit { end(nil) }

  /// - Throws: `StoreError`, `CancellationError`.
  func next() async throws -> StreamBatch<Row>? {
    if !isBegun {
      isBegun = true
      run = source.store.follow(StoreRequest(.stream, of: source.request.entity))
    }
    do {
      let batch = try await worker.runUntilCancelled { [self, run] cancellation in
        do {
          try source.store.requireOpen()
          return try nextBatch(cancellation, run)
        } catch {
          throw StoreError.translating(error)
        }
      }
      if batch == nil { end(nil) }
      return batch
    } catch {
      end(error)
      throw error
    }
  }

  private func end(_ error: (any Error)?) {
    run?.end(error, openReaders: source.store.openReaders)
    run = nil
  }

  private func nextBatch(
    _ cancellation: Cancellation, _ run: RequestRun?
  ) throws -> StreamBatch<Row>? {
    let reading = try reading ?? StreamReading(source, cancellation)
    self.reading = reading
    var rows: [Row] = []
    let read = { [source] in
      try reading.read(source.batchSize, cancellation) { batch, rowsBefore in
        var reader = PackedRowReader(batch, by: reading.plan, rowsBefore: rowsBefore)
        try source.decode(&reader, &rows)
      }
    }
    if let run { try run.work(on: reading.database, read) } else { try read() }
    run?.count(rows: rows.count)
    guard !rows.isEmpty else { return nil }
    return StreamBatch(
      rows: rows, progress: BatchProgress(rows: reading.count, total: reading.total))
  }
}

/// A connection in the midst of a statement.
final class StreamReading {
  let plan: ReadingPlan
  let total: Int?
  /// Rows read so far.
  private(set) var count = 0
  private let connection: Connection
  private var batches: RowBatches
  // Closes the connection when it goes.
  let database: Database

  /// Opens a connection and takes the state that all rows come from.
  ///
  /// - Throws: `CheckErrors`, `DatabaseError`
  init<Row>(_ source: StreamSource<Row>, _ cancellation: Cancellation) throws {
    let store = source.store.store
    let layout = source.store.layout
    let query = try source.request.sql(in: layout, storeUUID: store.metadata.uuid)
    plan = ReadingPlan(query.columns, for: source.request, in: store, layout)
    let (database, connection, journal) = try PersistentStore.opener.runNow {
      try store.connectForStreaming(source.store.options)
    }
    (self.database, self.connection) = (database, connection)
    let rows: SQL
    (total, rows) = try connection.interrupting(on: cancellation) {
      try store.mappingErrors(connection) { try connection.begin(source, query.sql, journal) }
    }
    batches = RowBatches(try store.mappingErrors(connection) { try connection.prepare(rows) })
  }

  /// Reads up to so many rows.
  ///
  /// Nothing of the file can have changed meanwhile that the statement was not made for.
  func read(
    _ limit: Int, _ cancellation: Cancellation, _ decode: (PackedRows, Int) throws -> Void
  ) throws {
    var left = limit
    try connection.interrupting(on: cancellation) {
      while left > 0, let batch = try batches.next(atMost: left) {
        try decode(batch, count)
        count += batch.count
        left -= batch.count
        try cancellation.check()
      }
    }
  }
}

extension Connection {
  /// Takes the state of the store.
  ///
  /// - Returns: how many rows there are, where that is known; the statement that reads them.
  fileprivate func begin<Row>(
    _ source: StreamSource<Row>, _ query: SQL, _ journal: DatabaseFile.Journal
  ) throws -> (total: Int?, rows: SQL) {
    switch journal {
    case .wal:
      // What is read from here on is the state of this moment; writers go on in the -wal.
      try run("BEGIN")
      return (try source.countsTotal ? count(source.request, source.store) : nil, query)
    case .rollback:
      try run("CREATE TEMP TABLE storetool_stream AS \(query)")
      let total = Int(try integer("SELECT count(*) FROM temp.storetool_stream"))
      return (total, "SELECT * FROM temp.storetool_stream ORDER BY rowid")
    }
  }

  private func count(
    _ request: StoreModel.StoreFetchRequest, _ store: PersistentStore
  ) throws -> Int {
    var request = request
    request.result = .count
    let query = try request.sql(in: store.layout, storeUUID: store.store.metadata.uuid)
    return Int(try integer(query.sql))
  }
}

extension Store {
  /// Another connection, which stays in a transaction.
  fileprivate func connectForStreaming(
    _ options: PersistentStore.Options
  ) throws -> (Database, Connection, DatabaseFile.Journal) {
    let file = try DatabaseFile(path)
    // One that may only read would share its -shm with the store's own connection, which then could not write.
    let database = try Store.connect(
      file.writableOpening, path: path, .writing, lockTimeout: options.lockTimeout)
    try database.followStatements(for: options.observer)
    return (database, try database.use { $0 }, file.journalInUse)
  }
}
