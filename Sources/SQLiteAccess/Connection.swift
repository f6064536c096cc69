import CSQLite
package import StoreDiagnostics

/// A database's connection while it is this thread's turn; valid only in the closure of `Database` that received it.
package struct Connection {
  package let handle: OpaquePointer
  /// For error messages.
  package let path: FilePath
  /// Statements that were run and may be run again; nil for a connection that keeps none.
  var kept: KeptStatements?

  package func prepare(_ sql: SQL) throws(DatabaseError) -> Statement {
    let (text, values) = sql.rendered()
    let statement = try Statement(text, on: self)
    for (index, value) in values.enumerated() {
      try statement.bind(value, at: Int32(index + 1))
    }
    return statement
  }

  /// A statement that is likely to be asked for again: where one with its text was kept, nothing is compiled, and it is
  /// kept when its scope ends.
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

  /// Runs a statement that returns no rows that matter, and returns how many it changed.
  @discardableResult
  package func run(_ sql: SQL) throws(DatabaseError) -> Int {
    var statement = try prepare(sql)
    while try statement.step() {}
    StatementRecorder.current?.note(sql)
    return changeCount
  }

  /// How many rows the last statement has changed.
  package var changeCount: Int { Int(sqlite3_changes64(handle)) }

  /// The key of the last row that an INSERT of this connection has made.
  package var lastInsertedKey: Int64 { sqlite3_last_insert_rowid(handle) }

  /// Makes `lastInsertedKey` 0 until the next INSERT: a statement that updates instead leaves it as it was.
  package func forgetLastInsertedKey() { sqlite3_set_last_insert_rowid(handle, 0) }

  /// Runs a `CREATE` or `PRAGMA` statement, which takes no parameters.
  package func define(_ sql: SQL) throws(DatabaseError) {
    var statement = try Statement(sql.literalText, on: self)
    while try statement.step() {}
    StatementRecorder.current?.note(sql)
  }

  /// All rows of a statement with few of them.
  package func rows(_ sql: SQL) throws(DatabaseError) -> [[SQLiteValue]] {
    var statement = try prepare(sql)
    var rows: [[SQLiteValue]] = []
    while try statement.step() {
      rows.append((0..<statement.columnCount).map { statement.value(at: $0) })
    }
    return rows
  }

  /// The texts in the first column of a statement.
  package func texts(_ sql: SQL) throws(DatabaseError) -> [String] {
    var statement = try prepare(sql)
    var texts: [String] = []
    while try statement.step() { texts.append(statement.text(at: 0)) }
    return texts
  }

  /// The one integer that a statement returns, 0 when there is none.
  package func integer(_ sql: SQL) throws(DatabaseError) -> Int64 {
    var statement = try prepare(sql)
    return try statement.step() ? statement.integer(at: 0) : 0
  }

  /// The error that the last call left. Read it before the next call.
  package func lastError(_ code: CInt) -> DatabaseError {
    DatabaseError(
      code: code, message: String(cString: sqlite3_errmsg(handle)), path: path)
  }
}

extension Connection {
  /// Makes SQLite leave the `-wal` when the connection closes: it would remove one in which it finds no frame, though
  /// the connection only reads.
  ///
  /// - Throws: `DatabaseError`
  package func keepLog() throws(DatabaseError) {
    var isKept: CInt = 1
    let code = sqlite3_file_control(handle, "main", SQLITE_FCNTL_PERSIST_WAL, &isKept)
    guard code == SQLITE_OK else { throw lastError(code) }
  }
}

extension Connection {
  /// Runs SQL that a person has written, of one statement or more, within our transaction: it can't
  /// end that, nor open other files.
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

/// How much room a connection has for the store's pages.
package enum PageCache: Hashable {
  /// SQLite's own: 2 MB. Right for all that goes through a table or an index in its order, and for
  /// building an index, which sorts in pieces as large as the cache: small ones stay in the
  /// processor's, and each page of memory that is taken for the first time costs time, too.
  case usual
  /// For keys that move in an index whose order is not that of the rows: pages that are changed again
  /// and again then reach the journal fewer times. More than 8 MiB costs more than it saves. Also for
  /// reading rows in such an order.
  case wide

  // In KiB, as SQLite's documentation has it; a PRAGMA takes no parameters.
  fileprivate var setting: SQL {
    switch self {
    case .usual: "PRAGMA cache_size = -2000"
    case .wide: "PRAGMA cache_size = -8192"
    }
  }
}

extension Connection {
  /// The room is taken as it is needed.
  package func setPageCache(_ cache: PageCache) throws(DatabaseError) {
    try run(cache.setting)
  }
}

extension Connection {
  /// Runs `body` as a part of the transaction that is open: when it throws, what it has written is taken back, and the
  /// transaction goes on.
  ///
  /// - Throws: what `body` throws; `DatabaseError`
  package func savepoint<Result>(_ body: () throws -> Result) throws -> Result {
    // One may lie within another of the same name: the innermost is meant.
    try run("SAVEPOINT part")
    do {
      let result = try body()
      try run("RELEASE part")
      return result
    } catch {
      // A full disk, or a statement that was interrupted, may have ended the transaction as a whole.
      if isInTransaction {
        try run("ROLLBACK TO part")
        try run("RELEASE part")
      }
      throw error
    }
  }

  /// Whether a transaction is open: SQLite ends it itself after some errors.
  package var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }
}

extension Connection {
  /// Copies all pages into another database, rows in the `-wal` included.
  ///
  /// - Parameter progress: called with the pages that are copied.
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

  /// 4 MiB of usual pages.
  private static let pagesAtOnce: CInt = 1024
}

extension Connection {
  /// Makes a function known to the statements of this connection, as long as it lasts.
  ///
  /// - Parameters:
  ///   - arguments: how many it takes; -1 for any number.
  ///   - isDeterministic: SQLite may compute a call with constant arguments once, and use it in an index.
  /// - Throws: `DatabaseError` when SQLite has no memory left for it.
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

/// A closure that SQLite has as a pointer, which it hands to a C function.
final class CallbackBox<Closure> {
  let call: Closure

  init(_ call: Closure) {
    self.call = call
  }
}

extension Connection {
  /// What a statement, or a trigger that it fires, would do to a table of the database.
  package enum Write: Hashable, Sendable {
    case insert(table: String)
    case update(table: String, column: String)
    case delete(table: String)
  }

  /// Asks, while `body` runs, about all that each of its statements would write, when SQLite compiles it.
  ///
  /// - Throws: what `body` throws; `DatabaseError.noPermission` for a statement that is refused.
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
