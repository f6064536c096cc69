package import StoreDiagnostics
import CSQLite

extension Connection {
  /// Interrupts the running statement when the request is canceled. SQLite then rolls back its transaction.
  ///
  /// - Throws: an error of `body`; `DatabaseError.cancelled` for the interrupted statement.
  package func interrupting<Result>(
    on cancellation: Cancellation, _ body: () throws -> Result
  ) rethrows -> Result {
    let context = Unmanaged.passUnretained(cancellation).toOpaque()
    sqlite3_progress_handler(
      handle, Self.stepsBetweenLooks,
      { context in
        guard let context else { return 0 }
        return Unmanaged<Cancellation>.fromOpaque(context)._withUnsafeGuaranteedRef {
          $0.isRequested ? 1 : 0
        }
      }, context)
    defer { sqlite3_progress_handler(handle, 0, nil, nil) }
    return try withExtendedLifetime(cancellation) { try body() }
  }

  /// Reports the number of rows that a statement has visited in full scans
  /// (https://www.sqlite.org/c3ref/c_stmtstatus_counter.html), at regular intervals.
  ///
  /// - Throws: an error of `body`; `DatabaseError.cancelled` if the statement was interrupted.
  package func following<Result>(
    _ statement: consuming Statement, cancellation: Cancellation,
    _ report: @escaping (Int) -> Void, _ body: (inout Statement) throws -> Result
  ) throws -> Result {
    let followed = FollowedStatement(statement.handle, cancellation, report)
    sqlite3_progress_handler(
      handle, Self.stepsBetweenLooks,
      { context in
        guard let context else { return 0 }
        return Unmanaged<FollowedStatement>.fromOpaque(context)._withUnsafeGuaranteedRef {
          $0.look()
        }
      }, Unmanaged.passUnretained(followed).toOpaque())
    defer { sqlite3_progress_handler(handle, 0, nil, nil) }
    var statement = statement
    return try withExtendedLifetime(followed) { try body(&statement) }
  }

  /// Interrupts the statement that another thread runs, if any.
  package func interrupt() { sqlite3_interrupt(handle) }

  /// The interval in instructions of SQLite's virtual machine. A check takes nanoseconds, and the interval less than a
  /// millisecond.
  private static let stepsBetweenLooks: CInt = 10_000
}

/// The argument of a progress handler.
private final class FollowedStatement {
  private let handle: OpaquePointer
  private let cancellation: Cancellation
  private let report: (Int) -> Void

  init(_ handle: OpaquePointer, _ cancellation: Cancellation, _ report: @escaping (Int) -> Void) {
    self.handle = handle
    self.cancellation = cancellation
    self.report = report
  }

  func look() -> CInt {
    report(Int(sqlite3_stmt_status(handle, SQLITE_STMTSTATUS_FULLSCAN_STEP, 0)))
    return cancellation.isRequested ? 1 : 0
  }
}
