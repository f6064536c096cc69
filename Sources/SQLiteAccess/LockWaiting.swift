import StoreDiagnostics
import CSQLite
import Foundation
import Synchronization

/// SQLite's busy handler: waits for a lock of another connection, for a limited time, and at most until the request is
/// canceled.
final class LockWaiting: Sendable {
  private struct State {
    var limit: Duration
    var cancellation: Cancellation?
    /// The start of the current wait, or of the last one.
    var begin: ContinuousClock.Instant?
    var isWaiting = false
    var total = Duration.zero
  }

  private let state: Mutex<State>

  init(limit: Duration) {
    state = Mutex(State(limit: limit))
  }

  /// Sets the cancellation of the current request, or nil without a request that can be canceled.
  func heed(_ cancellation: Cancellation?) {
    state.withLock { state in
      state.cancellation = cancellation
      state.begin = nil
    }
  }

  /// The total time of all waits.
  var total: Duration { state.withLock { $0.total } }

  /// The duration of the current wait, or nil if the connection isn't waiting.
  var current: Duration? {
    state.withLock { $0.isWaiting ? $0.begin : nil }.map { .now - $0 }
  }

  /// Registers the busy handler. This object must exist as long as the connection.
  func register(on handle: OpaquePointer) -> CInt {
    sqlite3_busy_handler(
      handle,
      { context, count in
        guard let context else { return 0 }
        return Unmanaged<LockWaiting>.fromOpaque(context)._withUnsafeGuaranteedRef {
          $0.waits(again: Int(count)) ? 1 : 0
        }
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  /// Pauses, unless the time limit is reached or the request is canceled.
  ///
  /// - Parameter count: the number of previous pauses for this lock.
  /// - Returns: whether SQLite tries again to get the lock.
  private func waits(again count: Int) -> Bool {
    let now = ContinuousClock.now
    let pause = state.withLock { state -> Duration? in
      let begin = count == 0 ? now : state.begin ?? now
      let left = state.limit - (now - begin)
      guard left > .zero, state.cancellation?.isRequested != true else {
        state.isWaiting = false
        return nil
      }
      (state.begin, state.isWaiting) = (begin, true)
      return min(left, .milliseconds(Self.pauses[min(count, Self.pauses.count - 1)]))
    }
    guard let pause else { return false }
    usleep(UInt32(max(1, pause / .microseconds(1))))
    // SQLite calls this function again only if the lock is still held.
    state.withLock { state in
      state.isWaiting = false
      state.total += .now - now
    }
    return true
  }

  /// The successive pauses in milliseconds. The last one repeats. They are short, because the lock goes to the first
  /// connection that tries after its release.
  private static let pauses = [1, 2, 5, 10, 15, 20, 25]
}
