import Dispatch
import StoreDiagnostics
import Synchronization

/// A queue that passes differences from a thread to a task. A full queue blocks the thread, and an empty queue suspends
/// the task.
final class DifferenceFeed: Sendable {
  fileprivate struct State {
    var differences: [RowDifference] = []
    /// The size of the binary values in `differences`.
    var bytes = 0
    var isClosed = false
    /// Resumes the task, which is suspended while the queue is empty.
    var receiver: CheckedContinuation<Void, Never>?
    var isThreadWaiting = false
  }

  /// The number of differences, and the size of their binary values, after which the queue is full.
  private static let limit = 64
  private static let byteLimit = 8 << 20

  private let state = Mutex(State())
  private let room = DispatchSemaphore(value: 0)

  /// Adds a difference. Must be called on the thread.
  ///
  /// - Throws: `Cancelled` if the queue was closed.
  func send(_ difference: RowDifference) throws(Cancelled) {
    let receiver = state.withLock { state in
      state.differences.append(difference)
      state.bytes += difference.binarySize
      return state.takeReceiver()
    }
    receiver?.resume()
    while true {
      let (isClosed, isFull) = state.withLock { state in
        let isFull = state.differences.count >= Self.limit || state.bytes >= Self.byteLimit
        state.isThreadWaiting = !state.isClosed && isFull
        return (state.isClosed, state.isThreadWaiting)
      }
      if isClosed { throw Cancelled() }
      guard isFull else { return }
      room.wait()
    }
  }

  /// Returns the next differences, or nil at the end. Must be called in the task.
  nonisolated(nonsending) func next() async -> [RowDifference]? {
    while true {
      let (differences, isClosed, isAwaited) = state.withLock { state in
        defer {
          state.differences.removeAll()
          state.bytes = 0
          state.isThreadWaiting = false
        }
        return (state.differences, state.isClosed, state.isThreadWaiting)
      }
      if isAwaited { room.signal() }
      guard differences.isEmpty else { return differences }
      if isClosed { return nil }
      await withCheckedContinuation { continuation in
        let isReady = state.withLock { state in
          guard state.differences.isEmpty, !state.isClosed else { return true }
          state.receiver = continuation
          return false
        }
        if isReady { continuation.resume() }
      }
    }
  }

  /// Ends the queue, and wakes the thread and the task.
  func close() {
    let (receiver, isAwaited) = state.withLock { state in
      state.isClosed = true
      defer { state.isThreadWaiting = false }
      return (state.takeReceiver(), state.isThreadWaiting)
    }
    if isAwaited { room.signal() }
    receiver?.resume()
  }
}

extension DifferenceFeed.State {
  fileprivate mutating func takeReceiver() -> CheckedContinuation<Void, Never>? {
    defer { receiver = nil }
    return receiver
  }
}

extension RowDifference {
  /// The size of the binary values in bytes.
  fileprivate var binarySize: Int {
    properties.reduce(0) { $0 + ($1.old?.binarySize ?? 0) + ($1.new?.binarySize ?? 0) }
  }
}

extension ComparedValue {
  fileprivate var binarySize: Int {
    if case .attribute(.binary(let bytes)) = self { bytes.count } else { 0 }
  }
}
