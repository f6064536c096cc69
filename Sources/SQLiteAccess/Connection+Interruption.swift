package import StoreDiagnostics
import CSQLite

extension Connection {
  /// Lets a wish to cancel end a statement that runs, which then rolls back its transaction.
  ///
  /// - Throws: what `body` throws; `DatabaseError.cancelled` for the statement that was ended.
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

  /// Tells how many rows a statement has looked at in tables that it reads from one end to the other
  /// (https://www.sqlite.org/c3ref/c_stmtstatus_counter.html), each time that it has done some work.
  ///
  /// - Throws: what `body` throws; `DatabaseError.cancelled` for the statement when the wish to cancel has ended it.
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

  /// Ends the statement that another thread runs; where none runs, nothing happens.
  package func interrupt() { sqlite3_interrupt(handle) }

  /// In instructions of SQLite's machine: a look takes nanoseconds, so many steps less than a millisecond.
  private static let stepsBetweenLooks: CInt = 10_000
}

/// What a progress handler is told.
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
