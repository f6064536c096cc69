import StoreDiagnostics
import CSQLite
import Foundation
import Synchronization

/// How a connection waits for a lock that another one holds: with pauses, for a limited time, and no longer than the
/// request is wanted.
final class LockWaiting: Sendable {
  private struct State {
    var limit: Duration
    var cancellation: Cancellation?
    /// When the waiting for the last lock began.
    var begin: ContinuousClock.Instant?
    var isWaiting = false
    var total = Duration.zero
  }

  private let state: Mutex<State>

  init(limit: Duration) {
    state = Mutex(State(limit: limit))
  }

  /// For whom the connection is at work; nil for somebody who does not give up.
  func heed(_ cancellation: Cancellation?) {
    state.withLock { state in
      state.cancellation = cancellation
      state.begin = nil
    }
  }

  /// All waiting so far.
  var total: Duration { state.withLock { $0.total } }

  /// How long the one that is waited for; nil while none is.
  var current: Duration? {
    state.withLock { $0.isWaiting ? $0.begin : nil }.map { .now - $0 }
  }

  /// The object has to live as long as the connection.
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

  /// - Parameter count: how often it has waited for this lock already.
  /// - Returns: false to give up.
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
    // Asked again only if the lock is still not there.
    state.withLock { state in
      state.isWaiting = false
      state.total += .now - now
    }
    return true
  }

  /// Of those who wait, the next to get the lock is the one who asks first: so nobody sleeps long.
  private static let pauses = [1, 2, 5, 10, 15, 20, 25]
}
