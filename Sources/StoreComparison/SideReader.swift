import PredicateSQL
import SQLiteAccess
import StoreDiagnostics
import StoreCore

/// Reads the rows of one store on a separate thread, ahead of the comparison.
final class SideReader {
  private let queue: BatchQueue
  private let connection: LentConnection
  private let thread: WorkerThread
  private var batch: PackedRows?
  /// The index of the current row in the batch.
  private var row = -1
  private var isAtEnd = false

  /// Starts the thread, which uses the connection until `stop`.
  init(_ side: SideQuery, of store: ComparedStore) {
    let queue = BatchQueue(width: side.width)
    let lent = LentConnection(connection: store.connection)
    let sql = side.query.sql
    self.queue = queue
    connection = lent
    thread = WorkerThread(named: "storetool.compare") {
      do {
        var statement = try lent.connection.prepare(sql)
        _ = try queue.fill(from: &statement)
        queue.finish()
      } catch {
        queue.fail(error)
      }
    }
  }

  /// Returns the next row, which is valid until the next call; nil after the last row.
  ///
  /// - Throws: `DatabaseError` if the store can't be read.
  func next() throws -> PackedRow? {
    row += 1
    if let batch, row < batch.count { return PackedRow(row, of: batch) }
    return try nextBatch()
  }

  private func nextBatch() throws -> PackedRow? {
    while !isAtEnd {
      if let batch { queue.putEmpty(batch) }
      batch = nil
      batch = try queue.takeFilled()
      row = 0
      isAtEnd = batch == nil
      if let batch, batch.count > 0 { return PackedRow(row, of: batch) }
    }
    return nil
  }

  /// Stops the thread and waits for its end. The caller can then use the connection again.
  func stop() {
    if !isAtEnd {
      queue.fail(Cancelled())
      connection.connection.interrupt()
    }
    thread.wait()
  }
}

/// A connection that another thread uses.
struct LentConnection: @unchecked Sendable {
  // The owner doesn't use the connection until the thread has ended.
  let connection: Connection
}
