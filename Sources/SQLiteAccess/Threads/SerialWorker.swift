package import Dispatch
import Foundation
package import StoreDiagnostics
import Synchronization

/// Runs blocking work in order, on threads outside of the pool of Swift's tasks. A task that waits for its turn or its
/// result is suspended.
package final class SerialWorker: Sendable {
  package let queue: DispatchQueue
  private let waiting = Atomic(0)

  package init(named name: String) {
    queue = DispatchQueue(label: name)
  }

  /// The number of tasks that wait for their turn, including canceled ones.
  package var waitingCount: Int { waiting.load(ordering: .relaxed) }

  /// Runs `work` after all previous work, in the order of the calls.
  ///
  /// Canceling the task ends the wait immediately. For running work, its `Cancellation` is requested, and the work
  /// determines the result.
  ///
  /// - Parameters:
  ///   - limit: the time to wait for a turn, or nil for no limit.
  ///   - lateness: the error after that time.
  /// - Throws: an error of `work`; `CancellationError` if it didn't begin.
  package func run<Result: Sendable>(
    waitingAtMost limit: Duration? = nil,
    orThrowing lateness: @escaping @Sendable () -> any Error = { CancellationError() },
    _ work: @escaping @Sendable (Cancellation) throws -> Result
  ) async throws -> Result {
    let cancellation = Cancellation()
    let turn = Turn<Result>()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        guard turn.wait(continuation) else { return }
        waiting.add(1, ordering: .relaxed)
        queue.async { [self] in
          waiting.subtract(1, ordering: .relaxed)
          guard let continuation = turn.begin() else { return }
          continuation.resume(with: Swift.Result { try work(cancellation) })
        }
        guard let limit else { return }
        DispatchQueue.global().asyncAfter(deadline: .now() + limit / .seconds(1)) {
          turn.giveUp(throwing: lateness)
        }
      }
    } onCancel: {
      cancellation.request()
      turn.giveUp()
    }
  }

  /// Runs `work` in its turn, but waits only until the task is canceled. The result of the work is then lost.
  ///
  /// - Throws: an error of `work`, `CancellationError`.
  package func runUntilCancelled<Result: Sendable>(
    _ work: @escaping @Sendable (Cancellation) throws -> Result
  ) async throws -> Result {
    let cancellation = Cancellation()
    let turn = Turn<Result>()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        guard turn.wait(continuation) else { return }
        queue.async {
          guard !cancellation.isRequested else { return }
          let result = Swift.Result { try work(cancellation) }
          turn.begin()?.resume(with: result)
        }
      }
    } onCancel: {
      cancellation.request()
      turn.giveUp()
    }
  }

  /// Runs `work` after all previous work, and blocks the thread until then.
  package func runNow<Result>(_ work: () throws -> Result) rethrows -> Result {
    try queue.sync(execute: work)
  }

  /// Runs `work` in its turn, without waiting for it.
  package func schedule(_ work: @escaping @Sendable () -> Void) {
    queue.async(execute: work)
  }
}

/// A task's position in the queue. The function that takes the continuation resumes it.
private final class Turn<Result: Sendable>: Sendable {
  private enum State {
    case new
    case waiting(CheckedContinuation<Result, any Error>)
    /// The work has begun, or the task has given up.
    case over
  }

  private let state = Mutex(State.new)

  /// Returns false for a task that was canceled before. Its continuation is then resumed.
  func wait(_ continuation: CheckedContinuation<Result, any Error>) -> Bool {
    let isNew = state.withLock { state in
      guard case .new = state else { return false }
      state = .waiting(continuation)
      return true
    }
    if !isNew { continuation.resume(throwing: CancellationError()) }
    return isNew
  }

  /// Returns the continuation to resume after the work, or nil if the task doesn't wait any more.
  func begin() -> CheckedContinuation<Result, any Error>? {
    state.withLock { state in
      guard case .waiting(let continuation) = state else { return nil }
      state = .over
      return continuation
    }
  }

  /// Gives up waiting, unless the work has begun.
  func giveUp(throwing error: () -> any Error = { CancellationError() }) {
    let waiting = state.withLock { state -> CheckedContinuation<Result, any Error>? in
      defer { state = .over }
      guard case .waiting(let continuation) = state else { return nil }
      return continuation
    }
    waiting?.resume(throwing: error())
  }
}

/// Work on a second thread for which the calling thread waits.
///
/// It isn't a task, because the work blocks, and must not block the threads of the cooperative pool.
package final class WorkerThread: @unchecked Sendable {
  // `error` is written before `done` is signaled, and read after waiting for it.
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
  /// - Throws: an error of the work.
  package func join() throws {
    wait()
    if let error { throw error }
  }

  /// Waits for the end of work whose errors don't matter.
  package func wait() {
    done.wait()
    // For the next caller.
    done.signal()
  }
}
