import Synchronization

/// A value that a thread replaces and that tasks wait for. A task receives the latest value, and not each value.
final class LatestValue<Value: Sendable>: Sendable {
  private struct Waiter {
    /// The generation of the value that the waiter already has.
    var generation: Int
    var continuation: CheckedContinuation<Value?, any Error>
  }

  private struct State {
    var value: Value
    var generation: Int
    /// Set after the last value.
    var end: Result<Void, any Error>?
    var waiters: [Int: Waiter] = [:]
    var waiterCount = 0

    /// Returns the result for a waiter, or nil if the waiter has to wait.
    mutating func answer(_ number: Int, _ waiter: Waiter) -> Result<Value?, any Error>? {
      if generation != waiter.generation { return .success(value) }
      if let end { return end.map { nil } }
      waiters[number] = waiter
      return nil
    }
  }

  private let state: Mutex<State>

  init(_ value: Value, generation: Int) {
    state = Mutex(State(value: value, generation: generation))
  }

  var value: Value { state.withLock { $0.value } }

  /// Passes a value to the waiting tasks, and to later calls of `next`.
  func replace(with value: Value, generation: Int) {
    let waiters = state.withLock { state in
      (state.value, state.generation) = (value, generation)
      let waiters = state.waiters.filter { $0.value.generation != generation }
      for number in waiters.keys { state.waiters[number] = nil }
      return Array(waiters.values)
    }
    for waiter in waiters { waiter.continuation.resume(returning: value) }
  }

  /// Wakes the waiting tasks after the last value. Only the first call has an effect.
  func end(_ result: Result<Void, any Error>) {
    let waiters = state.withLock { state in
      if state.end == nil { state.end = result }
      defer { state.waiters = [:] }
      return Array(state.waiters.values)
    }
    for waiter in waiters { waiter.continuation.resume(with: result.map { nil }) }
  }

  /// Waits until the value has another generation, and returns it. Returns nil after the last value.
  ///
  /// - Throws: the error that was passed to `end`; `CancellationError`.
  func next(after generation: Int) async throws -> Value? {
    let number = state.withLock { state in
      state.waiterCount += 1
      return state.waiterCount
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let answer = state.withLock { state in
          // Check under the lock, which the cancellation handler takes too.
          Task.isCancelled
            ? .failure(CancellationError())
            : state.answer(number, Waiter(generation: generation, continuation: continuation))
        }
        if let answer { continuation.resume(with: answer) }
      }
    } onCancel: {
      let waiter = state.withLock { $0.waiters.removeValue(forKey: number) }
      waiter?.continuation.resume(throwing: CancellationError())
    }
  }
}
