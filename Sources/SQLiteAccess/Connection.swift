package import StoreDiagnostics
import CSQLite

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
