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

  /// Ends the statement that another thread runs; where none runs, nothing happens.
  package func interrupt() { sqlite3_interrupt(handle) }

  /// In instructions of SQLite's machine: a look takes nanoseconds, so many steps less than a millisecond.
  private static let stepsBetweenLooks: CInt = 10_000
}
