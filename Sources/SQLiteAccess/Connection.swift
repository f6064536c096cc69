import CSQLite
package import StoreDiagnostics

/// The connection of a `Database` while one thread uses it. It is valid only in the closure that a method of `Database`
/// passes it to.
package struct Connection {
  package let handle: OpaquePointer
  /// The path for error messages.
  package let path: LocalPath
  /// The cached statements, or nil for a connection without a cache.
  var kept: KeptStatements?
  /// The known facts about the schema, or nil for a connection that reads them each time.
  var facts: SchemaFacts?

  package func prepare(_ sql: SQL) throws(DatabaseError) -> Statement {
    let (text, values) = sql.rendered()
    let statement = try Statement(text, on: self)
    try statement.bind(values)
    return statement
  }

  /// Prepares a statement that is likely to run again. If a statement with the same text is cached, it isn't compiled
  /// again. The statement is cached when its scope ends.
  package func prepareKept(_ sql: RenderedSQL) throws(DatabaseError) -> Statement {
    let statement =
      if let handle = kept?.take(sql.text) {
        Statement(handle, on: self, keeping: sql.text)
      } else {
        try Statement(sql.text, on: self, isKept: true)
      }
    try statement.bind(sql.values)
    return statement
  }

  /// Runs a statement without results that is likely to run again and doesn't change the schema, and returns the number
  /// of changed rows.
  @discardableResult
  package func runKept(_ sql: RenderedSQL) throws(DatabaseError) -> Int {
    var statement = try prepareKept(sql)
    while try statement.step() {}
    return changeCount
  }

  /// Runs a statement like `runKept`, and records it for a script.
  @discardableResult
  package func runKept(_ sql: SQL) throws(DatabaseError) -> Int {
    let count = try runKept(RenderedSQL(sql))
    StatementRecorder.current?.note(sql)
    return count
  }

  /// Returns the first row of a query that is likely to run again, or nil if it has no rows.
  package func keptRow(_ sql: RenderedSQL) throws(DatabaseError) -> [SQLiteValue]? {
    var statement = try prepareKept(sql)
    guard try statement.step() else { return nil }
    return (0..<statement.columnCount).map { statement.value(at: $0) }
  }

  /// Returns the integers in the first row of a query that is likely to run again. NULL becomes 0, as do missing rows.
  package func keptIntegers(_ sql: SQL, count: Int32) throws(DatabaseError) -> [Int64] {
    var statement = try prepareKept(RenderedSQL(sql))
    guard try statement.step() else { return Array(repeating: 0, count: Int(count)) }
    return (0..<count).map { statement.integer(at: $0) }
  }

  /// Runs a statement without results, and returns the number of changed rows.
  @discardableResult
  package func run(_ sql: SQL) throws(DatabaseError) -> Int {
    var statement = try prepare(sql)
    while try statement.step() {}
    StatementRecorder.current?.note(sql)
    return changeCount
  }

  /// The number of rows that the last INSERT, UPDATE or DELETE changed, without the changes of triggers.
  package var changeCount: Int { Int(sqlite3_changes64(handle)) }

  /// The rowid of the last row that was inserted on this connection.
  package var lastInsertedKey: Int64 { sqlite3_last_insert_rowid(handle) }

  /// Sets `lastInsertedKey` to 0. If it is still 0 after an upsert, the statement updated a row instead of inserting
  /// one.
  package func forgetLastInsertedKey() { sqlite3_set_last_insert_rowid(handle, 0) }

  /// Runs a statement that can't have parameters, such as `CREATE`, `DROP` or `PRAGMA`, with its values as literals.
  package func define(_ sql: SQL) throws(DatabaseError) {
    var statement = try Statement(sql.literalText, on: self)
    while try statement.step() {}
    StatementRecorder.current?.note(sql)
  }

  /// Creates an empty temporary table. Replaces a temporary table with this name.
  ///
  /// - Parameter content: the columns in parentheses with the table's options, or `AS` and a query.
  package func makeTemporaryTable(_ name: String, _ content: SQL) throws(DatabaseError) {
    try run("DROP TABLE IF EXISTS temp.\(name: name)")
    try run("CREATE TEMP TABLE \(name: name) \(content)")
  }

  /// Returns all rows of a statement, which should have only a few.
  package func rows(_ sql: SQL) throws(DatabaseError) -> [[SQLiteValue]] {
    try map(sql) { row in (0..<row.columnCount).map { row.value(at: $0) } }
  }

  /// Returns a value for each row of a statement, which should have only a few.
  ///
  /// - Parameter value: receives the statement at a row.
  package func map<Value>(
    _ sql: SQL, _ value: (borrowing Statement) -> Value
  ) throws(DatabaseError) -> [Value] {
    var statement = try prepare(sql)
    var values: [Value] = []
    while try statement.step() { values.append(value(statement)) }
    return values
  }

  /// Returns the texts in the first column of a query. NULL becomes an empty text.
  package func texts(_ sql: SQL) throws(DatabaseError) -> [String] {
    try map(sql) { $0.text(at: 0) }
  }

  /// Returns the integer in the first row and column of a query, or 0 if the query has no rows.
  package func integer(_ sql: SQL) throws(DatabaseError) -> Int64 {
    var statement = try prepare(sql)
    return try statement.step() ? statement.integer(at: 0) : 0
  }

  /// Throws the error for a result code of the last SQLite function, unless the code is `SQLITE_OK`.
  package func require(_ code: CInt) throws(DatabaseError) {
    guard code == SQLITE_OK else { throw lastError(code) }
  }

  /// Returns the error for a result code of the last SQLite function. It must be called before the next SQLite
  /// function, which replaces the message.
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
    try require(sqlite3_file_control(handle, "main", SQLITE_FCNTL_PERSIST_WAL, &isKept))
  }
}

extension Connection {
  /// Runs SQL that a user wrote, which can contain several statements, in the current transaction. The SQL can't begin
  /// or end transactions, or attach other files.
  ///
  /// - Throws: `DatabaseError`, such as `noPermission` for a statement that isn't allowed.
  package func runScript(_ text: String) throws(DatabaseError) {
    sqlite3_set_authorizer(
      handle,
      { _, action, _, _, _, _ in
        switch action {
        case SQLITE_TRANSACTION, SQLITE_SAVEPOINT, SQLITE_ATTACH, SQLITE_DETACH: SQLITE_DENY
        default: SQLITE_OK
        }
      }, nil)
    defer {
      sqlite3_set_authorizer(handle, nil, nil)
      facts?.doubt()
    }
    let code = sqlite3_exec(handle, text, nil, nil, nil)
    guard code == SQLITE_OK else { throw lastError(sqlite3_extended_errcode(handle)) }
  }
}

/// The size of a connection's page cache.
package enum PageCache: Int64, Hashable {
  /// SQLite's default of 2,000 KiB. It suits statements that read or change a table or an index in its own order. It
  /// also suits CREATE INDEX, which sorts in pieces of the cache's size: small pieces fit in the processor's cache, and
  /// allocating more memory takes time.
  case usual = -2000
  /// 8 MiB, for statements that change rows in one order and update an index with another order. Pages of the index
  /// that change repeatedly are then written to the journal less often. This size also suits reading rows in the order
  /// of such an index. A larger cache would cost more time than it saves.
  case wide = -8192
}

extension Connection {
  /// Sets the maximum size of the page cache. SQLite allocates the memory when it is required.
  package func setPageCache(_ cache: PageCache) throws(DatabaseError) {
    // SQLite reads a negative size as KiB.
    try define("PRAGMA cache_size = \(value: .integer(cache.rawValue))")
  }
}

extension Connection {
  /// Runs `body` as a part of the open transaction. If it throws, its changes are rolled back, and the transaction
  /// continues.
  ///
  /// - Throws: an error of `body`; `DatabaseError`
  package func savepoint<Result>(_ body: () throws -> Result) throws -> Result {
    // Savepoints with the same name can be nested. The innermost one is used.
    try runKept("SAVEPOINT part")
    do {
      let result = try body()
      try runKept("RELEASE part")
      return result
    } catch {
      facts?.removeAll()
      // A full disk or an interrupted statement can have ended the whole transaction.
      if isInTransaction {
        try runKept("ROLLBACK TO part")
        try runKept("RELEASE part")
      }
      throw error
    }
  }

  /// Whether a transaction is open. After some errors, SQLite rolls back the transaction by itself.
  package var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }
}

extension Connection {
  /// Copies all pages to another database, including the rows in the `-wal`.
  ///
  /// - Parameter progress: receives the number of pages that have been copied so far.
  /// - Throws: `DatabaseError`; `Cancelled` if `cancellation` is requested.
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

  /// The number of pages per step, which are 4 MiB with the default page size.
  private static let pagesAtOnce: CInt = 1024
}

extension Connection {
  /// Registers an SQL function on this connection.
  ///
  /// - Parameters:
  ///   - arguments: the number of arguments, or -1 for any number.
  ///   - isDeterministic: whether the result depends only on the arguments. SQLite then computes a call with constant
  ///     arguments only once per statement, and accepts the function in an index.
  ///   - run: computes a call, and sets its result.
  /// - Throws: `DatabaseError` if SQLite can't register the function.
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
    try require(code)
  }
}

/// An object with a closure, so that SQLite can pass the closure to a C callback as a pointer.
final class CallbackBox<Closure> {
  let call: Closure

  init(_ call: Closure) {
    self.call = call
  }
}

extension Connection {
  /// A kind of change that a statement, or a trigger that it fires, makes to a table of the database.
  package enum Write: Hashable, Sendable {
    case insert(table: String)
    case update(table: String, column: String)
    case delete(table: String)
  }

  /// Runs `body`, and rejects each of its statements that contains a write for which `isAllowed` returns false. SQLite
  /// checks a statement when it compiles it. Temporary tables aren't checked.
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
