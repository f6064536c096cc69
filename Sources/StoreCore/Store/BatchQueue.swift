package import SQLiteAccess
import Foundation

/// Passes batches of rows from one thread to another, and the emptied batches back. The number of batches is limited,
/// so the faster thread waits, and the memory is limited.
///
/// The thread that fills batches calls `finish` after the last one. Either thread can call `fail` to make the other one
/// throw.
package final class BatchQueue: @unchecked Sendable {
  // All state is accessed with `condition` locked. A batch belongs to the queue or to the thread that took it.
  private let condition = NSCondition()
  private var empty: [PackedRows]
  private var filled: [PackedRows] = []
  private var isFinished = false
  private var failure: (any Error)?

  package init(batchCount: Int = 4, width: Int) {
    empty = (0..<batchCount).map { _ in PackedRows(width: width) }
  }

  /// Waits for an empty batch and returns it.
  ///
  /// - Throws: the error that was passed to `fail`.
  package func takeEmpty() throws -> PackedRows {
    condition.lock()
    defer { condition.unlock() }
    while empty.isEmpty, failure == nil { condition.wait() }
    if let failure { throw failure }
    let batch = empty.removeLast()
    batch.removeAll()
    return batch
  }

  package func putFilled(_ batch: PackedRows) {
    change { filled.append(batch) }
  }

  /// Waits for the next batch in order and returns it. Returns nil after the last batch.
  ///
  /// - Throws: the error that was passed to `fail`, after all filled batches are taken.
  package func takeFilled() throws -> PackedRows? {
    condition.lock()
    defer { condition.unlock() }
    while filled.isEmpty, !isFinished, failure == nil { condition.wait() }
    if !filled.isEmpty { return filled.removeFirst() }
    if let failure { throw failure }
    return nil
  }

  package func putEmpty(_ batch: PackedRows) {
    change { empty.append(batch) }
  }

  /// Marks the last filled batch as the end.
  package func finish() {
    change { isFinished = true }
  }

  /// Makes `takeEmpty` throw `error`, and also `takeFilled` when all filled batches are taken. Only the first error
  /// counts.
  package func fail(_ error: any Error) {
    change { failure = failure ?? error }
  }

  private func change(_ body: () -> Void) {
    condition.lock()
    body()
    condition.broadcast()
    condition.unlock()
  }
}

extension BatchQueue {
  /// Runs `work` on a second thread while this thread runs `body`. An error of one thread makes the other one throw.
  ///
  /// - Throws: the first error of the two threads.
  package func sharing<Result>(
    withThread name: String, _ work: @escaping @Sendable () throws -> Void,
    body: () throws -> Result
  ) throws -> Result {
    let thread = WorkerThread(named: name) {
      do {
        try work()
      } catch {
        self.fail(error)
        throw error
      }
    }
    do {
      let result = try body()
      try thread.join()
      return result
    } catch {
      fail(error)
      // If both threads fail, the first error causes the second one, and `join` throws the first one.
      try thread.join()
      throw error
    }
  }

  /// Passes the rows of a statement to the other thread, and returns their number. Doesn't call `finish`.
  ///
  /// - Parameter visit: is called for each full batch with the number of rows so far.
  /// - Throws: `DatabaseError`; an error of `visit`; the error that was passed to `fail`.
  package func fill(
    from statement: inout Statement, visit: (Int) throws -> Void = { _ in }
  ) throws -> Int {
    var count = 0
    var batch = try takeEmpty()
    while try statement.step() {
      statement.copyRow(into: batch)
      if batch.isFull {
        count += batch.count
        putFilled(batch)
        try visit(count)
        batch = try takeEmpty()
      }
    }
    count += batch.count
    putFilled(batch)
    return count
  }
}
