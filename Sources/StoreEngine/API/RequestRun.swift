import SQLiteAccess
import Synchronization

/// One request from its call to its end, for an observer and for the message of a limit that it has exceeded. There is
/// none where neither asks.
final class RequestRun: Sendable {
  private struct State {
    /// Of its work, which may come in parts.
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

  /// False before its turn has come.
  var isRunning: Bool { state.withLock { $0.begin != nil } }

  /// Rows that it has read or changed.
  func count(rows: Int) { state.withLock { $0.rows += rows } }

  func noteCompilation(isReused: Bool) {
    state.withLock { state in
      if isReused { state.reused += 1 } else { state.compiled += 1 }
    }
  }

  /// Runs a part of its work, on the thread whose turn on the database it is.
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
      // A stream whose task is cancelled does not wait for SQLite.
      guard !state.withLock({ $0.isOver }) else { return }
      observer.ended(
        StatementEvent(
          sql: statement.sql, sqlWithValues: statement.expandedSQL, duration: statement.duration))
    }
    return try observer.run(body)
  }

  /// - Parameter error: what it has thrown; nil for nothing.
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

/// The request that a limit's work has made last, for the message when it is over.
final class RequestLimit: Sendable {
  @TaskLocal static var current: RequestLimit?

  private let last = Mutex<RequestRun?>(nil)

  var run: RequestRun? { last.withLock { $0 } }

  func note(_ run: RequestRun) { last.withLock { $0 = run } }
}

/// Which request has its turn, for the messages of those that wait.
final class CurrentTurn: Sendable {
  private let current = Mutex<(request: StoreRequest, begin: ContinuousClock.Instant)?>(nil)

  func running<Result>(_ request: StoreRequest, _ work: () throws -> Result) rethrows -> Result {
    current.withLock { $0 = (request, .now) }
    defer { current.withLock { $0 = nil } }
    return try work()
  }

  /// `batchUpdate of 'Item', which has been running for 3.1 s`
  var description: String {
    current.withLock { current in
      current.map {
        "\($0.request), which has been running for \(($0.begin.duration(to: .now)).inWords)"
      }
    } ?? "another request"
  }
}

extension Duration {
  /// `2 s`, `0.25 s`
  var inWords: String {
    let hundredths = Int64((self / .milliseconds(10)).rounded())
    let (whole, fraction) = (hundredths / 100, hundredths % 100)
    if fraction == 0 { return "\(whole) s" }
    if fraction % 10 == 0 { return "\(whole).\(fraction / 10) s" }
    return "\(whole).\(fraction < 10 ? "0" : "")\(fraction) s"
  }
}
