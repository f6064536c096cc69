import Foundation

/// Work on a second thread that the calling one waits for.
///
/// A thread and not a task: the work blocks, and a pool of two cooperative threads must not.
package final class WorkerThread: @unchecked Sendable {
  // `error` is written before `done` is signalled and read after it was waited for.
  private let done = DispatchSemaphore(value: 0)
  private var error: (any Error)?

  package init(named name: String, _ work: @escaping @Sendable () throws -> Void) {
    let thread = Thread {
      do { try work() } catch { self.error = error }
      self.done.signal()
    }
    thread.name = name
    thread.start()
  }

  /// Waits for the end of the work.
  ///
  /// - Throws: what the work threw.
  package func join() throws {
    wait()
    if let error { throw error }
  }

  /// Waits for the end of work whose failure means nothing any more.
  package func wait() {
    done.wait()
    // For the next one who asks.
    done.signal()
  }
}
