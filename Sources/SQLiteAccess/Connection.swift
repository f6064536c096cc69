import CSQLite
package import StoreDiagnostics

/// A connection of a database during a thread's turn. It is only valid in the closure of `Database` that received it.
package struct Connection {
  package let handle: OpaquePointer
  /// The path for error messages.
  package let path: FilePath
  /// The cached statements, or nil for a connection without a cache.
  var kept: KeptStatements?

  package func prepare(_ sql: SQL) throws(DatabaseError) -> Statement {
    let (text, values) = sql.rendered()
    let statement = try Statement(text, on: self)
    for (index, value) in values.enumerated() {
      try statement.bind(value, at: Int32(index + 1))
    }
    return statement
  }

  /// Returns a statement that is likely to be used again. A cached statement with the same text isn't compiled again.
  /// The statement is cached when its scope ends.
  package func prepareKept(_ sql: RenderedSQL) throws(DatabaseError) -> Statement {
    let statement =
      if let handle = kept?.take(sql.text) {
        Statement(handle, on: self, keeping: sql.text)
      } else {
        try Statement(sql.text, on: self, isKept: true)
      }
    for (index, value) in sql.values.enumerated() {
      try statement.bind(value, at: Int32(index + 1))
    }
    return statement
  }

  /// Runs a statement without results, and returns the number of changed rows.
  @discardableResult
  package func run(_ sql: SQL) throws(DatabaseError) -> Int {
    var statement = try prepare(sql)
    while try statement.step() {}
    StatementRecorder.current?.note(sql)
    return changeCount
  }

  /// The number of rows that the last statement changed.
  package var changeCount: Int { Int(sqlite3_changes64(handle)) }

  /// The key of the last inserted row.
  package var lastInsertedKey: Int64 { sqlite3_last_insert_rowid(handle) }

  /// Sets `lastInsertedKey` to 0 until the next INSERT, because a statement that updates doesn't change it.
  package func forgetLastInsertedKey() { sqlite3_set_last_insert_rowid(handle, 0) }

  /// Runs a `CREATE` or `PRAGMA` statement, which has no parameters.
  package func define(_ sql: SQL) throws(DatabaseError) {
    var statement = try Statement(sql.literalText, on: self)
    while try statement.step() {}
    StatementRecorder.current?.note(sql)
  }

  /// Returns all rows of a statement with few rows.
  package func rows(_ sql: SQL) throws(DatabaseError) -> [[SQLiteValue]] {
    var statement = try prepare(sql)
    var rows: [[SQLiteValue]] = []
    while try statement.step() {
      rows.append((0..<statement.columnCount).map { statement.value(at: $0) })
    }
    return rows
  }

  /// Returns the texts in the first column.
  package func texts(_ sql: SQL) throws(DatabaseError) -> [String] {
    var statement = try prepare(sql)
    var texts: [String] = []
    while try statement.step() { texts.append(statement.text(at: 0)) }
    return texts
  }

  /// Returns the integer that a statement returns, or 0 without one.
  package func integer(_ sql: SQL) throws(DatabaseError) -> Int64 {
    var statement = try prepare(sql)
    return try statement.step() ? statement.integer(at: 0) : 0
  }

  /// Returns the error of the last call. It must be read before the next call.
  package func lastError(_ code: CInt) -> DatabaseError {
    DatabaseError(
      code: code, message: String(cString: sqlite3_errmsg(handle)), path: path)
  }
}

extension Connection {
  /// Makes SQLite keep the `-wal` when the connection is closed. Otherwise, SQLite would remove a `-wal` without
  /// frames, even for a read-only connection.
  ///
  /// - Throws: `DatabaseError`
  package func keepLog() throws(DatabaseError) {
    var isKept: CInt = 1
    let code = sqlite3_file_control(handle, "main", SQLITE_FCNTL_PERSIST_WAL, &isKept)
    guard code == SQLITE_OK else { throw lastError(code) }
  }
}

extension Connection {
  /// Runs SQL from a person, which can contain several statements, in the current transaction. It can't end the
  /// transaction or open other files.
  ///
  /// - Throws: `DatabaseError`; `DatabaseError.noPermission` for a statement that is not allowed.
  package func runScript(_ text: String) throws(DatabaseError) {
    sqlite3_set_authorizer(
      handle,
      { _, action, _, _, _, _ in
        switch action {
        case SQLITE_TRANSACTION, SQLITE_SAVEPOINT, SQLITE_ATTACH, SQLITE_DETACH: SQLITE_DENY
        default: SQLITE_OK
        }
      }, nil)
    defer { sqlite3_set_authorizer(handle, nil, nil) }
    let code = sqlite3_exec(handle, text, nil, nil, nil)
    guard code == SQLITE_OK else { throw lastError(sqlite3_extended_errcode(handle)) }
  }
}

/// The size of a connection's page cache.
package enum PageCache: Hashable {
  /// SQLite's default of 2 MB. It suits reading or changing a table or index in its order, and creating an index, which
  /// sorts in pieces of the cache's size. Small pieces fit in the processor's cache, and allocating memory takes time.
  case usual
  /// For keys that move in an index with another order than the rows: pages that change repeatedly are written to the
  /// journal less often. More than 8 MiB would cost more than it saves. It also suits reading rows in such an order.
  case wide

  // In KiB, according to SQLite's documentation. A PRAGMA has no parameters.
  fileprivate var setting: SQL {
    switch self {
    case .usual: "PRAGMA cache_size = -2000"
    case .wide: "PRAGMA cache_size = -8192"
    }
  }
}

extension Connection {
  /// Sets the size. Memory is allocated when it is required.
  package func setPageCache(_ cache: PageCache) throws(DatabaseError) {
    try run(cache.setting)
  }
}

extension Connection {
  /// Runs `body` as a part of the open transaction. If it throws, its changes are rolled back, and the transaction
  /// continues.
  ///
  /// - Throws: an error of `body`; `DatabaseError`
  package func savepoint<Result>(_ body: () throws -> Result) throws -> Result {
    // Savepoints with the same name can be nested. The innermost one is used.
    try run("SAVEPOINT part")
    do {
      let result = try body()
      try run("RELEASE part")
      return result
    } catch {
      // A full disk or an interrupted statement can have ended the whole transaction.
      if isInTransaction {
        try run("ROLLBACK TO part")
        try run("RELEASE part")
      }
      throw error
    }
  }

  /// Whether a transaction is open. After some errors, SQLite ends it.
  package var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }
}

extension Connection {
  /// Copies all pages to another database, including the rows in the `-wal`.
  ///
  /// - Parameter progress: is called with the number of copied pages.
  /// - Throws: `DatabaseError`, `Cancelled`.
  package func copyPages(
    to copy: Connection, _ cancellation: Cancellation, progress: (Int) -> Void
  ) throws {
    guard let backup = sqlite3_backup_init(copy.handle, "main", handle, "main") else {
      throw copy.lastError(sqlite3_errcode(copy.handle))
    }
    defer { sqlite3_backup_finish(backup) }
    while true {
      let code = sqlite3_backup_step(backup, Self.pagesAtOnce)
      switch code {
      case SQLITE_DONE: return
      case SQLITE_OK:
        try cancellation.check()
        let left = sqlite3_backup_remaining(backup)
        progress(Int(sqlite3_backup_pagecount(backup) - left))
      case SQLITE_BUSY, SQLITE_LOCKED: throw DatabaseError.locked(path: path)
      default:
        throw DatabaseError(
          code: code, message: String(cString: sqlite3_errstr(code)), path: copy.path)
      }
    }
  }

  /// 4 MiB with the default page size.
  private static let pagesAtOnce: CInt = 1024
}

extension Connection {
  /// Registers an SQL function on this connection.
  ///
  /// - Parameters:
  ///   - arguments: the number of arguments, or -1 for any number.
  ///   - isDeterministic: whether SQLite can compute a call with constant arguments once, and use it in an index.
  /// - Throws: `DatabaseError` if SQLite is out of memory.
  package func define(
    function name: String, arguments: Int32, isDeterministic: Bool = true,
    _ run: @escaping (FunctionCall) -> Void
  ) throws(DatabaseError) {
    let flags = SQLITE_UTF8 | (isDeterministic ? SQLITE_DETERMINISTIC : 0)
    let code = sqlite3_create_function_v2(
      handle, name, arguments, flags, Unmanaged.passRetained(CallbackBox(run)).toOpaque(),
      { context, count, values in
        guard let body = sqlite3_user_data(context), let context, let values else { return }
        Unmanaged<CallbackBox<(FunctionCall) -> Void>>.fromOpaque(body).takeUnretainedValue()
          .call(
            FunctionCall(
              context: context, arguments: UnsafeBufferPointer(start: values, count: Int(count))))
      }, nil, nil, { if let body = $0 { Unmanaged<AnyObject>.fromOpaque(body).release() } })
    guard code == SQLITE_OK else { throw lastError(code) }
  }
}

/// A closure for a C function, to which SQLite passes it as a pointer.
final class CallbackBox<Closure> {
  let call: Closure

  init(_ call: Closure) {
    self.call = call
  }
}

extension Connection {
  /// A write of a statement, or of a trigger that it fires, to a table of the database.
  package enum Write: Hashable, Sendable {
    case insert(table: String)
    case update(table: String, column: String)
    case delete(table: String)
  }

  /// Asks for permission for all writes of each statement in `body`, when SQLite compiles it.
  ///
  /// - Throws: an error of `body`; `DatabaseError.noPermission` for a rejected statement.
  package func authorizing<Result>(
    _ isAllowed: (Write) -> Bool, _ body: () throws -> Result
  ) rethrows -> Result {
    try withoutActuallyEscaping(isAllowed) { isAllowed in
      let authorizer = CallbackBox(isAllowed)
      sqlite3_set_authorizer(
        handle,
        { context, action, table, column, database, _ in
          guard let context, let table, let database, String(cString: database) == "main",
            let write = Write(action, String(cString: table), column.map { String(cString: $0) })
          else { return SQLITE_OK }
          return Unmanaged<CallbackBox<(Write) -> Bool>>.fromOpaque(context)
            ._withUnsafeGuaranteedRef { $0.call(write) ? SQLITE_OK : SQLITE_DENY }
        }, Unmanaged.passUnretained(authorizer).toOpaque())
      defer { sqlite3_set_authorizer(handle, nil, nil) }
      return try withExtendedLifetime(authorizer) { try body() }
    }
  }
}

extension Connection.Write {
  fileprivate init?(_ action: CInt, _ table: String, _ column: String?) {
    switch action {
    case SQLITE_INSERT: self = .insert(table: table)
    case SQLITE_UPDATE: self = .update(table: table, column: column ?? "")
    case SQLITE_DELETE: self = .delete(table: table)
    default: return nil
    }
  }
}
