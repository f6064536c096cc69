import SQLiteAccess
import Synchronization

/// The measurements of one request, for an observer and for the message of a timeout. A request has no `RequestRun` if
/// there is neither an observer nor a time limit.
package final class RequestRun: Sendable {
  private struct State {
    /// The start of the first part of the request's work, or nil if the work hasn't started.
    var begin: ContinuousClock.Instant?
    var ran = Duration.zero
    var lockWait = Duration.zero
    var rows = 0
    var compiled = 0
    var reused = 0
    var isOver = false
  }

  let request: StoreRequest
  private let observer: (any RequestObserver)?
  private let start = ContinuousClock.now
  private let state = Mutex(State())

  init(_ request: StoreRequest, observer: (any RequestObserver)?) {
    (self.request, self.observer) = (request, observer)
  }

  var isRunning: Bool { state.withLock { $0.begin != nil } }

  /// Adds to the number of rows that were read or changed.
  func count(rows: Int) { state.withLock { $0.rows += rows } }

  func noteCompilation(isReused: Bool) {
    state.withLock { state in
      if isReused { state.reused += 1 } else { state.compiled += 1 }
    }
  }

  /// Runs a part of the work. The current thread must have exclusive access to the database.
  func work<Result>(on database: Database, _ body: () throws -> Result) rethrows -> Result {
    let (begin, lockWait) = (ContinuousClock.now, database.lockWait)
    state.withLock { $0.begin = $0.begin ?? begin }
    defer {
      database.follower?.told = nil
      state.withLock { state in
        state.ran += .now - begin
        state.lockWait += database.lockWait - lockWait
      }
    }
    guard let observer else { return try body() }
    database.follower?.told = { [self] statement in
      // After a cancellation, a stream ends its request while SQLite is still running.
      guard !state.withLock({ $0.isOver }) else { return }
      observer.ended(
        StatementEvent(
          sql: statement.sql, sqlWithValues: statement.expandedSQL, duration: statement.duration))
    }
    return try observer.run(body)
  }

  /// Reports the end of the request to the observer.
  func end(_ error: (any Error)?, openReaders: Int) {
    guard let observer else { return }
    let state = state.withLock { state in
      state.isOver = true
      return state
    }
    observer.ended(
      RequestEvent(
        request: request, outcome: RequestEvent.Result(error),
        waited: (state.begin ?? .now) - start, waitedForLock: state.lockWait, ran: state.ran,
        rows: state.rows, compiled: state.compiled, reused: state.reused,
        openReaders: openReaders))
  }
}

extension RequestEvent.Result {
  fileprivate init(_ error: (any Error)?) {
    switch error {
    case nil: self = .succeeded
    case is CancellationError: self = .cancelled
    case let failure as StoreError: self = .failed(failure.reason)
    default: self = .refused
    }
  }
}

/// The most recently started request of work that has a time limit. The message of a timeout describes it.
final class RequestLimit: Sendable {
  @TaskLocal static var current: RequestLimit?

  private let last = Mutex<RequestRun?>(nil)

  var run: RequestRun? { last.withLock { $0 } }

  func note(_ run: RequestRun) { last.withLock { $0 = run } }
}

/// The running request, for the messages of requests that waited too long.
final class CurrentTurn: Sendable {
  private let current = Mutex<(request: StoreRequest, begin: ContinuousClock.Instant)?>(nil)

  func running<Result>(_ request: StoreRequest, _ work: () throws -> Result) rethrows -> Result {
    current.withLock { $0 = (request, .now) }
    defer { current.withLock { $0 = nil } }
    return try work()
  }

  /// The current request in words, such as `batchUpdate of 'Item', which has been running for 3.1 s`.
  var description: String {
    current.withLock { current in
      current.map {
        "\($0.request), which has been running for \(($0.begin.duration(to: .now)).inWords)"
      }
    } ?? "another request"
  }
}

extension Duration {
  /// The duration in seconds or, if it is less than a second, in milliseconds: `2.5 s`, `250 ms`, `less than 1 ms`.
  var inWords: String {
    guard self >= .seconds(1) else {
      let milliseconds = Int64((self / .milliseconds(1)).rounded())
      return milliseconds == 0 ? "less than 1 ms" : "\(milliseconds) ms"
    }
    let hundredths = Int64((self / .milliseconds(10)).rounded())
    let (whole, fraction) = (hundredths / 100, hundredths % 100)
    if fraction == 0 { return "\(whole) s" }
    if fraction % 10 == 0 { return "\(whole).\(fraction / 10) s" }
    return "\(whole).\(fraction < 10 ? "0" : "")\(fraction) s"
  }
}
