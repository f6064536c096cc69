import CSQLite
import Foundation
package import StoreDiagnostics

/// An open SQLite database: one connection and its transactions. Threads can share it, because a call waits until the
/// previous one has ended.
package final class Database: @unchecked Sendable {
  package enum Access: Hashable, Sendable {
    case reading
    case writing
  }

  /// The path for error messages.
  package let path: LocalPath
  package let access: Access
  // `lock` protects `handle`, which is nil after the connection is closed.
  private let lock = NSLock()
  private var handle: OpaquePointer?
  private let kept = KeptStatements()
  private let facts = SchemaFacts()
  private let locks: LockWaiting
  /// Reports the statements of this connection, or nil before `followStatements`. It is used only in the closures of
  /// this class, by one thread at a time.
  package private(set) var follower: StatementFollower?

  /// The default limit for waiting for a lock.
  package static let usualLockTimeout = Duration.seconds(2)

  /// - Parameters:
  ///   - uri: a `file:` name with SQLite's parameters: https://www.sqlite.org/uri.html.
  ///   - path: the path for error messages.
  ///   - lockTimeout: the maximum time to wait for a lock of another connection.
  ///   - prepare: prepares the connection for its first use.
  /// - Throws: `DatabaseError`; an error of `prepare`.
  package init(
    uri: String, path: LocalPath, _ access: Access,
    lockTimeout: Duration = Database.usualLockTimeout,
    prepare: (Connection) throws -> Void = { _ in }
  ) throws {
    (self.path, self.access) = (path, access)
    locks = LockWaiting(limit: lockTimeout)
    let mode = access == .reading ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE
    // NOMUTEX, because the lock of this class is sufficient.
    let code = sqlite3_open_v2(
      uri, &handle, mode | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, nil)
    do {
      guard let handle else {
        throw DatabaseError(code: code, message: "SQLite is out of memory", path: path)
      }
      let connection = Connection(handle: handle, path: path)
      try connection.require(code)
      try connection.require(sqlite3_extended_result_codes(handle, 1))
      try connection.require(locks.register(on: handle))
      try connection.require(csqlite_refuse_text_in_double_quotes(handle))
      try prepare(connection)
    } catch {
      sqlite3_close_v2(handle)
      handle = nil
      throw error
    }
  }

  deinit {
    kept.close()
    sqlite3_close_v2(handle)
  }

  /// Closes the connection. The database can't be used afterwards.
  ///
  /// - Throws: `DatabaseError`
  package func close() throws {
    try lock.withLock {
      guard let handle else { return }
      kept.close()
      try Connection(handle: handle, path: path).require(sqlite3_close(handle))
      self.handle = nil
    }
  }

  /// Creates the `follower`, which reports each statement that runs from now on.
  ///
  /// - Parameter showsValues: whether to also report each statement with its values (`expandedSQL`).
  /// - Throws: `DatabaseError`
  package func followStatements(showingValues showsValues: Bool) throws {
    try use { connection in
      let follower = StatementFollower(showsValues: showsValues)
      follower.register(on: connection.handle)
      self.follower = follower
    }
  }

  /// The total time that this connection has waited for locks of other connections.
  package var lockWait: Duration { locks.total }

  /// The duration of the current wait for a lock, or nil if this connection isn't waiting.
  package var currentLockWait: Duration? { locks.current }

  /// Runs `body` without a transaction, for pragmas that SQLite ignores or rejects inside a transaction.
  ///
  /// - Parameter cancellation: when it is requested, ends a wait for a lock of another connection.
  /// - Throws: an error of `body`; `DatabaseError.sql` if the connection is closed; `DatabaseError.cancelled` if
  ///   `cancellation` was requested during such a wait.
  package func use<Result>(
    heeding cancellation: Cancellation? = nil, _ body: (Connection) throws -> Result
  ) throws -> Result {
    try lock.withLock {
      guard let handle else {
        throw DatabaseError(code: SQLITE_MISUSE, message: "the connection is closed", path: path)
      }
      locks.heed(cancellation)
      defer { locks.heed(nil) }
      do {
        facts.doubt()
        return try body(Connection(handle: handle, path: path, kept: kept, facts: facts))
      } catch DatabaseError.locked where cancellation?.isRequested == true {
        throw DatabaseError.cancelled
      }
    }
  }

  /// Runs `body` in a read transaction, which sees one state of the database.
  ///
  /// - Throws: an error of `body`; `DatabaseError`, such as `readOnly` for a statement that writes.
  package func read<Result>(
    heeding cancellation: Cancellation? = nil, _ body: (Connection) throws -> Result
  ) throws -> Result {
    try use(heeding: cancellation) { connection in
      guard access == .writing else { return try connection.transaction("BEGIN DEFERRED", body) }
      try connection.run("PRAGMA query_only = ON")
      let result = Swift.Result { try connection.transaction("BEGIN DEFERRED", body) }
      try connection.run("PRAGMA query_only = OFF")
      return try result.get()
    }
  }

  /// Runs `body`, which must read with a single statement. Such a statement sees one state of the database even without
  /// a transaction.
  ///
  /// - Throws: an error of `body`; `DatabaseError`, such as `readOnly` for a statement that writes.
  package func readOnce<Result>(
    heeding cancellation: Cancellation? = nil, _ body: (Connection) throws -> Result
  ) throws -> Result {
    guard access == .reading else { return try read(heeding: cancellation, body) }
    return try use(heeding: cancellation, body)
  }

  /// Runs `body` in a transaction that holds the write lock from the start. If `body` throws, the database remains
  /// unchanged.
  ///
  /// - Throws: an error of `body`; `DatabaseError`
  package func write<Result>(
    heeding cancellation: Cancellation? = nil, _ body: (Connection) throws -> Result
  ) throws -> Result {
    try use(heeding: cancellation) { connection in
      do {
        return try connection.transaction("BEGIN IMMEDIATE", body)
      } catch let error as DatabaseError where error.leavesJournal {
        connection.rollBackJournal()
        throw error
      }
    }
  }

  /// Runs `body` in a write transaction, and rolls the transaction back afterwards.
  ///
  /// - Throws: an error of `body`; `DatabaseError`
  package func rolledBack<Result>(
    heeding cancellation: Cancellation? = nil, _ body: (Connection) throws -> Result
  ) throws -> Result {
    try use(heeding: cancellation) { try $0.transaction("BEGIN IMMEDIATE", end: "ROLLBACK", body) }
  }
}

extension Connection {
  fileprivate func transaction<Result>(
    _ begin: SQL, end: SQL = "COMMIT", _ body: (Connection) throws -> Result
  ) throws -> Result {
    try runKept(begin)
    do {
      let result = try body(self)
      try runKept(end)
      if end != "COMMIT" { facts?.removeAll() }
      return result
    } catch {
      facts?.removeAll()
      rollBack()
      throw error
    }
  }

  /// Ends a read transaction and begins another one, whose first read determines the state that it sees.
  ///
  /// - Throws: `DatabaseError`
  package func renewReading() throws(DatabaseError) {
    try runKept("COMMIT")
    try runKept("BEGIN DEFERRED")
  }

  /// Rolls back after an error. Errors of the ROLLBACK are ignored: either SQLite has already rolled back, or the next
  /// connection with write access will.
  private func rollBack() {
    guard isInTransaction else { return }
    sqlite3_exec(handle, "ROLLBACK", nil, nil, nil)
  }

  /// Makes SQLite roll back the journal that it can leave behind on a full disk. While that journal exists, a read-only
  /// connection can't read the store.
  fileprivate func rollBackJournal() {
    sqlite3_exec(handle, "SELECT count(*) FROM sqlite_master", nil, nil, nil)
  }
}

/// Informs an observer about each statement that a connection runs. It is registered only by `followStatements`.
package final class StatementFollower {
  package struct Statement {
    /// The SQL with the parameters `?1`, `?2` and so on.
    package let sql: String
    /// The SQL with its values, or nil if the values weren't requested.
    package let expandedSQL: String?
    package let duration: Duration
  }

  /// Receives each statement after it has run. Nil without an observer.
  package var told: ((Statement) -> Void)?
  private let showsValues: Bool
  private var begins: [OpaquePointer: ContinuousClock.Instant] = [:]

  init(showsValues: Bool) { self.showsValues = showsValues }

  /// The object must exist as long as the connection.
  func register(on handle: OpaquePointer) {
    sqlite3_trace_v2(
      handle, UInt32(SQLITE_TRACE_STMT | SQLITE_TRACE_PROFILE),
      { event, context, statement, detail in
        guard let context, let statement else { return 0 }
        Unmanaged<StatementFollower>.fromOpaque(context)._withUnsafeGuaranteedRef {
          $0.note(CInt(event), OpaquePointer(statement), detail)
        }
        return 0
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  private func note(_ event: CInt, _ statement: OpaquePointer, _ detail: UnsafeMutableRawPointer?) {
    guard let told else { return }
    if event == SQLITE_TRACE_STMT {
      // SQLite also reports the start of a trigger, as the firing statement with the text "-- TRIGGER name".
      let text = detail?.assumingMemoryBound(to: CChar.self)
      guard text?.pointee != CChar(UInt8(ascii: "-")) else { return }
      begins[statement] = .now
      return
    }
    guard let begin = begins.removeValue(forKey: statement), let sql = sqlite3_sql(statement) else {
      return
    }
    var expanded: String?
    if showsValues, let text = sqlite3_expanded_sql(statement) {
      expanded = String(cString: text)
      sqlite3_free(text)
    }
    told(
      Statement(sql: String(cString: sql), expandedSQL: expanded, duration: .now - begin))
  }
}
