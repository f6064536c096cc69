package import Dispatch
import Foundation
package import StoreDiagnostics
import Synchronization

/// Runs blocking work in the order of the calls, one call at a time, on threads outside of Swift's cooperative pool. A
/// task is suspended until its work has ended.
package final class SerialWorker: Sendable {
  package let queue: DispatchQueue
  private let waiting = Atomic(0)

  package init(named name: String) {
    queue = DispatchQueue(label: name)
  }

  /// The number of calls of `run` whose work is still in the queue, including canceled calls.
  package var waitingCount: Int { max(0, waiting.load(ordering: .relaxed)) }

  /// Runs `work` after all previous work, in the order of the calls.
  ///
  /// Canceling the task before the work begins ends the wait immediately. After that, canceling the task requests the
  /// `Cancellation` of the work, and the work determines the result.
  ///
  /// - Parameters:
  ///   - limit: the maximum time until the work begins, or nil for no limit.
  ///   - lateness: returns the error to throw if the work hasn't begun after that time.
  /// - Throws: an error of `work`; `CancellationError` if the task was canceled before the work began; the error of
  ///   `lateness`.
  package func run<Result: Sendable>(
    waitingAtMost limit: Duration? = nil,
    orThrowing lateness: @escaping @Sendable () -> any Error = { CancellationError() },
    _ work: @escaping @Sendable (Cancellation) throws -> Result
  ) async throws -> Result {
    try await waitingForTurn(atMost: limit, orThrowing: lateness) { (_: Void, cancellation) in
      try work(cancellation)
    } enqueue: { item in
      queue.async { [self] in
        waiting.subtract(1, ordering: .relaxed)
        item(())()
      }
      // Counted when its position in the queue is certain. If the work has already begun, the number is negative until
      // here.
      waiting.add(1, ordering: .relaxed)
    }
  }

  /// Runs `work` after all previous work. Canceling the task ends the wait immediately, even while the work runs. The
  /// result of the work is then discarded.
  ///
  /// - Throws: an error of `work`; `CancellationError` if the task was canceled.
  package func runUntilCancelled<Result: Sendable>(
    _ work: @escaping @Sendable (Cancellation) throws -> Result
  ) async throws -> Result {
    try await takeTurn { turn, cancellation in
      queue.async {
        guard !cancellation.isRequested else { return }
        let result = Swift.Result { try work(cancellation) }
        turn.begin()?.resume(with: result)
      }
    }
  }

  /// Runs `work` after all previous work, and blocks the calling thread until it has ended.
  package func runNow<Result>(_ work: () throws -> Result) rethrows -> Result {
    try queue.sync(execute: work)
  }

  /// Schedules `work` to run after all previous work, and returns immediately.
  package func schedule(_ work: @escaping @Sendable () -> Void) {
    queue.async(execute: work)
  }
}

/// Enqueues work that runs on another thread, and waits for its result. Canceling the task before the work begins ends
/// the wait immediately. After that, canceling the task requests the `Cancellation` of the work.
///
/// - Parameters:
///   - limit: the maximum time until the work begins, or nil for no limit.
///   - lateness: returns the error to throw if the work hasn't begun after that time.
///   - work: the work. Its first argument is the argument of the closure that `enqueue` receives.
///   - enqueue: adds a closure to a queue. It isn't called if the task is already canceled. The closure runs the work, and
///     returns a function that lets the task continue.
/// - Throws: an error of `work`; `CancellationError` if the task was canceled before the work began; the error of
///   `lateness`.
package func waitingForTurn<Context, Result: Sendable>(
  atMost limit: Duration?, orThrowing lateness: @escaping @Sendable () -> any Error,
  _ work: @escaping @Sendable (Context, Cancellation) throws -> Result,
  enqueue: (@escaping @Sendable (Context) -> () -> Void) -> Void
) async throws -> Result {
  try await takeTurn { turn, cancellation in
    enqueue { context in
      guard let continuation = turn.begin() else { return {} }
      let result = Swift.Result { try work(context, cancellation) }
      return { continuation.resume(with: result) }
    }
    guard let limit else { return }
    DispatchQueue.global().asyncAfter(deadline: .now() + limit / .seconds(1)) {
      turn.giveUp(throwing: lateness)
    }
  }
}

/// Calls `enqueue` unless the task is already canceled, and waits for the result of the turn. Canceling the task ends
/// the turn and requests the `Cancellation`.
private func takeTurn<Result: Sendable>(
  _ enqueue: (Turn<Result>, Cancellation) -> Void
) async throws -> Result {
  let cancellation = Cancellation()
  let turn = Turn<Result>()
  return try await withTaskCancellationHandler {
    try await withCheckedThrowingContinuation { continuation in
      if turn.wait(continuation) { enqueue(turn, cancellation) }
    }
  } onCancel: {
    cancellation.request()
    turn.giveUp()
  }
}

/// The state of a task that waits for its work. The continuation is resumed by the code that takes it from the state.
private final class Turn<Result: Sendable>: Sendable {
  private enum State {
    case new
    case waiting(CheckedContinuation<Result, any Error>)
    /// `begin` has returned the continuation, or `giveUp` was called.
    case over
  }

  private let state = Mutex(State.new)

  /// Stores the continuation. If the task was already canceled, resumes the continuation instead and returns false.
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

  /// Resumes the continuation with an error, unless `begin` has returned it.
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

  /// Waits for the end of the work, and ignores its error.
  package func wait() {
    done.wait()
    // Allows the next call of this function to return, too.
    done.signal()
  }
}
