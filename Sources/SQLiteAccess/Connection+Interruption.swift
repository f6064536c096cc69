package import StoreDiagnostics
import CSQLite

extension Connection {
  /// Runs `body`, and interrupts its running statement when `cancellation` is requested. SQLite rolls back the whole
  /// transaction of an interrupted INSERT, UPDATE or DELETE.
  ///
  /// - Throws: an error of `body`, such as `DatabaseError.cancelled` for the interrupted statement.
  package func interrupting<Result>(
    on cancellation: Cancellation, _ body: () throws -> Result
  ) rethrows -> Result {
    try handlingProgress({ cancellation.isRequested }, body)
  }

  /// Runs `body`, and regularly calls `report` with the number of rows that `statement` has visited in full table scans
  /// (https://www.sqlite.org/c3ref/c_stmtstatus_counter.html). Interrupts the statement when `cancellation` is
  /// requested.
  ///
  /// - Throws: an error of `body`, such as `DatabaseError.cancelled` for the interrupted statement.
  package func following<Result>(
    _ statement: consuming Statement, cancellation: Cancellation,
    _ report: @escaping (Int) -> Void, _ body: (inout Statement) throws -> Result
  ) throws -> Result {
    let handle = statement.handle
    var statement = statement
    func isInterrupted() -> Bool {
      report(Int(sqlite3_stmt_status(handle, SQLITE_STMTSTATUS_FULLSCAN_STEP, 0)))
      return cancellation.isRequested
    }
    return try handlingProgress(isInterrupted) { try body(&statement) }
  }

  /// Runs `body`, and regularly calls `isInterrupted`. Interrupts the running statement if it returns true.
  private func handlingProgress<Result>(
    _ isInterrupted: @escaping () -> Bool, _ body: () throws -> Result
  ) rethrows -> Result {
    let handler = CallbackBox(isInterrupted)
    sqlite3_progress_handler(
      handle, Self.stepsBetweenLooks,
      { context in
        guard let context else { return 0 }
        return Unmanaged<CallbackBox<() -> Bool>>.fromOpaque(context)._withUnsafeGuaranteedRef {
          $0.call() ? 1 : 0
        }
      }, Unmanaged.passUnretained(handler).toOpaque())
    defer { sqlite3_progress_handler(handle, 0, nil, nil) }
    return try withExtendedLifetime(handler) { try body() }
  }

  /// Interrupts the statements that run on this connection. Can be called from another thread.
  package func interrupt() { sqlite3_interrupt(handle) }

  /// The number of instructions of SQLite's virtual machine between two calls of a progress handler. SQLite runs them
  /// in less than a millisecond, and a call takes nanoseconds.
  private static let stepsBetweenLooks: CInt = 10_000
}
