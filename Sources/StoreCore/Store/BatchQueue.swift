package import SQLiteAccess
import Foundation

/// Carries batches from one thread to another, and the emptied ones back. There are only so many,
/// so the faster side waits and memory stays bounded.
///
/// Either side may end the flow: the filling one by `finish`, the emptying one by `fail`.
package final class BatchQueue: @unchecked Sendable {
  // All of the state is read and written with `condition` locked. A batch belongs to the queue or
  // to the one thread that took it out.
  private let condition = NSCondition()
  private var empty: [PackedRows]
  private var filled: [PackedRows] = []
  private var isFinished = false
  private var failure: (any Error)?

  package init(batchCount: Int = 4, width: Int) {
    empty = (0..<batchCount).map { _ in PackedRows(width: width) }
  }

  /// An empty batch to fill; waits for one.
  ///
  /// - Throws: the error that the other side failed with.
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
    condition.lock()
    filled.append(batch)
    condition.signal()
    condition.unlock()
  }

  /// The next batch in order; waits for one. Nil when the filling side is done.
  ///
  /// - Throws: the error that the other side failed with, once its rows before it are taken.
  package func takeFilled() throws -> PackedRows? {
    condition.lock()
    defer { condition.unlock() }
    while filled.isEmpty, !isFinished, failure == nil { condition.wait() }
    if !filled.isEmpty { return filled.removeFirst() }
    if let failure { throw failure }
    return nil
  }

  package func putEmpty(_ batch: PackedRows) {
    condition.lock()
    empty.append(batch)
    condition.signal()
    condition.unlock()
  }

  /// The filling side has no more rows.
  package func finish() {
    condition.lock()
    isFinished = true
    condition.broadcast()
    condition.unlock()
  }

  /// Either side cannot go on: the other one gets `error` where it waits.
  package func fail(_ error: any Error) {
    condition.lock()
    if failure == nil { failure = error }
    condition.broadcast()
    condition.unlock()
  }
}

extension BatchQueue {
  /// Puts the rows of a statement in, and says how many they were.
  ///
  /// - Parameter visit: called for each full batch with the rows so far.
  /// - Throws: `DatabaseError`; what `visit` throws; the error that the other side failed with.
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
