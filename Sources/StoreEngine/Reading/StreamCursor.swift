import PredicateSQL
import SQLiteAccess
import StoreDiagnostics
import StoreLayout
import StoreModel
import StoreCore

struct StreamSource<Row: Sendable>: Sendable {
  let store: PersistentStore
  let request: StoreModel.StoreFetchRequest
  let batchSize: Int
  let countsTotal: Bool
  let decode: @Sendable (inout PackedRowReader, inout [Row]) throws -> Void
}

/// One iteration over a stream. Its connection is opened for the first batch, and closed after the last one or with the
/// cursor.
///
/// If the task is cancelled, `next` throws without waiting for SQLite, because SQLite can't be interrupted while it
/// sorts.
final class StreamCursor<Row: Sendable>: @unchecked Sendable {
  // Only accessed by work of `worker`, which is serial.
  private var reading: StreamReading?
  private var isAtEnd = false
  // Only accessed by the task that reads the batches.
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
    guard !isAtEnd else { return nil }
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
    guard !rows.isEmpty else {
      isAtEnd = true
      self.reading = nil
      return nil
    }
    return StreamBatch(
      rows: rows, progress: BatchProgress(rows: reading.count, total: reading.total))
  }
}

/// A connection with a running statement.
final class StreamReading {
  let plan: ReadingPlan
  let total: Int?
  /// The number of rows read so far.
  private(set) var count = 0
  private let connection: Connection
  private var batches: RowBatches
  // The connection is closed when this object is released.
  let database: Database
  /// The state that the file must still have after each batch, or nil if SQLite locks the file.
  private let stamp: FileStamp?

  /// Opens a connection and starts reading the current state.
  ///
  /// - Throws: `CheckErrors`, `DatabaseError`
  init<Row>(_ source: StreamSource<Row>, _ cancellation: Cancellation) throws {
    let store = source.store.store
    let layout = source.store.layout
    let query = try source.request.sql(in: layout, storeUUID: store.metadata.uuid)
    plan = ReadingPlan(query.columns, for: source.request, in: store, layout)
    let (database, connection, journal, stamp) = try PersistentStore.opener.runNow {
      try store.connectForStreaming(source.store.options)
    }
    (self.database, self.connection, self.stamp) = (database, connection, stamp)
    let rows: SQL
    (total, rows) = try connection.interrupting(on: cancellation) {
      try store.mappingErrors(connection) { try connection.begin(source, query.sql, journal) }
    }
    batches = RowBatches(try store.mappingErrors(connection) { try connection.prepare(rows) })
  }

  /// Reads up to `limit` rows.
  ///
  /// The statement can't become invalid, because the state that it reads doesn't change.
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
    guard stamp == nil || FileStamp(of: database.path) == stamp else {
      throw DatabaseError.writtenMeanwhile(path: database.path)
    }
  }
}

extension Connection {
  /// Starts reading the current state of the store.
  ///
  /// - Returns: the number of rows, or nil if it wasn't counted, and the statement that reads them.
  fileprivate func begin<Row>(
    _ source: StreamSource<Row>, _ query: SQL, _ journal: DatabaseFile.Journal
  ) throws -> (total: Int?, rows: SQL) {
    switch journal {
    case .wal:
      // All later reads see the current state, while writers continue in the -wal file.
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
  /// Opens another connection for a stream.
  fileprivate func connectForStreaming(
    _ options: PersistentStore.Options
  ) throws -> (Database, Connection, DatabaseFile.Journal, FileStamp?) {
    var file = try DatabaseFile(path)
    // A read-only connection would share its -shm file with the store's writing connection, which then couldn't write.
    var opening = file.writableOpening
    if access == .reading {
      file = try file.settled()
      opening = file.readOnlyOpening
    }
    let database = try Store.connect(
      opening, path: path, access, lockTimeout: options.lockTimeout)
    try database.followStatements(for: options.observer)
    return (database, try database.use { $0 }, file.journalInUse, opening.stamp)
  }
}
