import CSQLite
import Foundation
package import StoreDiagnostics

/// An open SQLite database: one connection and its transactions. Threads take turns.
package final class Database: @unchecked Sendable {
  package enum Access: Hashable, Sendable {
    case reading
    case writing
  }

  /// For error messages.
  package let path: FilePath
  package let access: Access
  // `handle` is used with `lock` held, and nil once the connection is closed.
  private let lock = NSLock()
  private var handle: OpaquePointer?
  private let kept = KeptStatements()
  private let locks: LockWaiting
  /// Who is told of statements; nil where nobody asked for it. Used by the thread whose turn it is.
  package private(set) var follower: StatementFollower?

  /// As long as a user would wait for a lock.
  package static let usualLockTimeout = Duration.seconds(2)

  /// - Parameters:
  ///   - uri: a `file:` name with SQLite's parameters: https://www.sqlite.org/uri.html.
  ///   - path: for error messages.
  ///   - lockTimeout: how long a lock that another connection holds is waited for.
  ///   - prepare: what the connection needs before its first use.
  /// - Throws: `DatabaseError`; what `prepare` throws.
  package init(
    uri: String, path: FilePath, _ access: Access,
    lockTimeout: Duration = Database.usualLockTimeout,
    prepare: (Connection) throws -> Void = { _ in }
  ) throws {
    (self.path, self.access) = (path, access)
    locks = LockWaiting(limit: lockTimeout)
    let mode = access == .reading ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE
    // NOMUTEX: our lock is enough, and SQLite takes none of its own for each value of each row.
    let code = sqlite3_open_v2(
      uri, &handle, mode | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, nil)
    do {
      guard let handle else {
        throw DatabaseError(code: code, message: "SQLite has no memory left", path: path)
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

  /// Ends the connection; the database can't be used any more.
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

  /// Tells of the statements from here on, through `follower`.
  ///
  /// - Parameter showsValues: with their values.
  /// - Throws: `DatabaseError`
  package func followStatements(showingValues showsValues: Bool) throws {
    try use { connection in
      let follower = StatementFollower(showsValues: showsValues)
      follower.register(on: connection.handle)
      self.follower = follower
    }
  }

  /// How long locks that others held were waited for, in all.
  package var lockWait: Duration { locks.total }

  /// How long one has been waited for that is not there yet; nil when none is.
  package var currentLockWait: Duration? { locks.current }

  /// Runs `body` outside of a transaction: for pragmas, which SQLite ignores or refuses in one.
  ///
  /// - Parameter cancellation: ends the waiting for a lock.
  /// - Throws: what `body` throws; `DatabaseError.sql` when the connection is closed; `cancelled`.
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
        return try body(Connection(handle: handle, path: path, kept: kept))
      } catch DatabaseError.locked where cancellation?.isRequested == true {
        throw DatabaseError.cancelled
      }
    }
  }

  /// Runs `body` in a read transaction: it sees one state of the database.
  ///
  /// - Throws: what `body` throws; `DatabaseError.readOnly` for a statement that would write.
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

  /// Runs `body`, which reads with one statement: that sees one state of the database without a transaction around it.
  ///
  /// - Throws: as `read`.
  package func readOnce<Result>(
    heeding cancellation: Cancellation? = nil, _ body: (Connection) throws -> Result
  ) throws -> Result {
    guard access == .reading else { return try read(heeding: cancellation, body) }
    return try use(heeding: cancellation, body)
  }

  /// Runs `body` in a transaction that holds the write lock from its start. When `body` throws, the
  /// database stays as it was.
  ///
  /// - Throws: what `body` throws; `DatabaseError`
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

  /// Runs `body` in a transaction like that of `write`, and takes back what it has written.
  ///
  /// - Throws: what `body` throws; `DatabaseError`
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
    try run(begin)
    do {
      let result = try body(self)
      try run(end)
      return result
    } catch {
      rollBack()
      throw error
    }
  }

  /// After an error, which is the one to tell: SQLite may have rolled back already, and what it can't
  /// roll back now the next reader does.
  private func rollBack() {
    guard isInTransaction else { return }
    sqlite3_exec(handle, "ROLLBACK", nil, nil, nil)
  }

  /// When the disk is full, SQLite may leave a rollback journal to whoever reads next; till then no
  /// one could who must not write.
  fileprivate func rollBackJournal() {
    sqlite3_exec(handle, "SELECT count(*) FROM sqlite_master", nil, nil, nil)
  }

  fileprivate func require(_ code: CInt) throws(DatabaseError) {
    guard code == SQLITE_OK else { throw lastError(code) }
  }
}

/// Tells of each statement that a connection has run.
///
/// Where nobody follows, SQLite calls nothing.
package final class StatementFollower {
  package struct Statement {
    /// With `?1`, `?2` … for its values.
    package let sql: String
    /// With the values in their places; nil unless they were asked for.
    package let expandedSQL: String?
    package let duration: Duration
  }

  /// Who is told now.
  package var told: ((Statement) -> Void)?
  private let showsValues: Bool
  private var begins: [OpaquePointer: ContinuousClock.Instant] = [:]

  init(showsValues: Bool) { self.showsValues = showsValues }

  /// The object has to live as long as the connection.
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
      // A trigger begins with the statement that fires it, under the text "-- TRIGGER name".
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
