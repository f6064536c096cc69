package import Dispatch
import Foundation
package import StoreDiagnostics
import Synchronization

/// Runs work that blocks one after the other, on threads outside the pool of Swift's tasks. A task that
/// waits for its turn or its result is suspended.
package final class SerialWorker: Sendable {
  package let queue: DispatchQueue
  private let waiting = Atomic(0)

  package init(named name: String) {
    queue = DispatchQueue(label: name)
  }

  /// How many tasks wait for their turn, those that have given up included.
  package var waitingCount: Int { waiting.load(ordering: .relaxed) }

  /// Runs `work` when all that was handed in before is done: who comes first is served first.
  ///
  /// Cancelling the task ends the waiting at once; work that runs finds its `Cancellation` requested,
  /// and the result is then what the work makes of that.
  ///
  /// - Parameters:
  ///   - limit: how long it waits for its turn; nil for as long as it takes.
  ///   - lateness: what is thrown when the turn has not come by then.
  /// - Throws: what `work` throws; `CancellationError` when it never began.
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

  /// Runs `work` in its turn, but waits only until the task is cancelled; the work's result is then lost.
  ///
  /// - Throws: what `work` throws, `CancellationError`.
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

  /// Runs `work` when all that was handed in before is done, and blocks the thread till then.
  package func runNow<Result>(_ work: () throws -> Result) rethrows -> Result {
    try queue.sync(execute: work)
  }

  /// Runs `work` in its turn; nobody waits for it.
  package func schedule(_ work: @escaping @Sendable () -> Void) {
    queue.async(execute: work)
  }
}

/// A task's place in the queue. The one that takes the continuation out resumes it.
private final class Turn<Result: Sendable>: Sendable {
  private enum State {
    case new
    case waiting(CheckedContinuation<Result, any Error>)
    /// Begun, or given up.
    case over
  }

  private let state = Mutex(State.new)

  /// False for a task that was cancelled before; its continuation is resumed.
  func wait(_ continuation: CheckedContinuation<Result, any Error>) -> Bool {
    let isNew = state.withLock { state in
      guard case .new = state else { return false }
      state = .waiting(continuation)
      return true
    }
    if !isNew { continuation.resume(throwing: CancellationError()) }
    return isNew
  }

  /// The continuation to resume when the work is done; nil when nobody waits any more.
  func begin() -> CheckedContinuation<Result, any Error>? {
    state.withLock { state in
      guard case .waiting(let continuation) = state else { return nil }
      state = .over
      return continuation
    }
  }

  /// Does nothing when it has begun.
  func giveUp(throwing error: () -> any Error = { CancellationError() }) {
    let waiting = state.withLock { state -> CheckedContinuation<Result, any Error>? in
      defer { state = .over }
      guard case .waiting(let continuation) = state else { return nil }
      return continuation
    }
    waiting?.resume(throwing: error())
  }
}

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
