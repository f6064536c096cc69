import Dispatch
package import StoreDiagnostics
import Synchronization

/// A queue that passes results from a thread to a task. A full queue blocks the thread, and an empty queue suspends the
/// task. `RecordFeed` passes records in the other direction.
package final class ResultFeed<Element: Sendable>: Sendable {
  private struct State {
    var elements: [Element] = []
    var weight = 0
    /// Set after the last element, or when the task is cancelled.
    var end: Result<Void, any Error>?
    /// Resumes the task, which is suspended while the queue is empty.
    var receiver: CheckedContinuation<Void, Never>?
    var isThreadWaiting = false

    mutating func takeReceiver() -> CheckedContinuation<Void, Never>? {
      defer { receiver = nil }
      return receiver
    }
  }

  private let limit: Int
  private let weight: @Sendable (Element) -> Int
  private let state = Mutex(State())
  private let room = DispatchSemaphore(value: 0)

  /// - Parameters:
  ///   - limit: the sum of the weights at which the queue is full.
  ///   - weight: returns the weight of an element.
  package init(limit: Int, weight: @escaping @Sendable (Element) -> Int) {
    self.limit = limit
    self.weight = weight
  }

  /// Adds an element, and blocks the thread while the queue is full.
  ///
  /// - Throws: `Cancelled` if the queue was ended.
  package func send(_ element: Element) throws(Cancelled) {
    let weight = weight(element)
    let receiver = state.withLock { state in
      state.elements.append(element)
      state.weight += weight
      return state.takeReceiver()
    }
    receiver?.resume()
    while true {
      let (isOver, isFull) = state.withLock { state in
        state.isThreadWaiting = state.end == nil && state.weight >= limit
        return (state.end != nil, state.isThreadWaiting)
      }
      if isOver { throw Cancelled() }
      guard isFull else { return }
      room.wait()
    }
  }

  /// Ends the queue, and wakes the task and the thread. Only the first call has an effect. An error discards the
  /// elements that weren't received yet.
  package func end(_ result: Result<Void, any Error> = .success(())) {
    let (receiver, isAwaited) = state.withLock { state in
      if state.end == nil { state.end = result }
      defer { state.isThreadWaiting = false }
      return (state.takeReceiver(), state.isThreadWaiting)
    }
    if isAwaited { room.signal() }
    receiver?.resume()
  }

  /// Waits until the queue has elements, and removes and returns them. Returns nil at the end. Must be called in the task.
  ///
  /// - Throws: the error that was passed to `end`.
  package nonisolated(nonsending) func next() async throws -> [Element]? {
    while true {
      let (elements, end, isAwaited) = state.withLock { state in
        defer {
          state.elements.removeAll()
          (state.weight, state.isThreadWaiting) = (0, false)
        }
        return (state.elements, state.end, state.isThreadWaiting)
      }
      if isAwaited { room.signal() }
      if case .failure(let error)? = end { throw error }
      guard elements.isEmpty else { return elements }
      if end != nil { return nil }
      await withCheckedContinuation { continuation in
        let isReady = state.withLock { state in
          guard state.elements.isEmpty, state.end == nil else { return true }
          state.receiver = continuation
          return false
        }
        if isReady { continuation.resume() }
      }
    }
  }
}
