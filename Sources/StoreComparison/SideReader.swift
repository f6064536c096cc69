import PredicateSQL
import SQLiteAccess
import StoreDiagnostics
import StoreCore

/// The rows of one store, read ahead by a thread of its own while those of the other are.
final class SideReader {
  private let queue: BatchQueue
  private let connection: LentConnection
  private let thread: WorkerThread
  private var batch: PackedRows?
  /// In the batch.
  private var row = -1
  private var isAtEnd = false

  /// The connection is the thread's until `stop`.
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

  /// The next row, good until the next call; nil after the last one.
  ///
  /// - Throws: `DatabaseError`
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

  /// Ends the thread, wherever it is. The connection is the caller's again.
  func stop() {
    if !isAtEnd {
      queue.fail(Cancelled())
      connection.connection.interrupt()
    }
    thread.wait()
  }
}

/// A connection while it is another thread's turn.
struct LentConnection: @unchecked Sendable {
  // Who lends it leaves it alone until that thread has ended.
  let connection: Connection
}
