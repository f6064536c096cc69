import CSQLite

/// A call of an SQL function: its arguments and its result.
@usableFromInline
package struct FunctionCall {
  package let context: OpaquePointer
  package let arguments: UnsafeBufferPointer<OpaquePointer?>

  package func isNull(at index: Int) -> Bool { sqlite3_value_type(arguments[index]) == SQLITE_NULL }

  /// Returns the text of an argument, or nil for NULL. Numbers are converted to text as in SQLite.
  package func text(at index: Int) -> String? {
    isNull(at: index) ? nil : withText(at: index) { String(decoding: $0, as: UTF8.self) }
  }

  /// Calls `body` with the UTF-8 bytes of an argument, without copying them. Like `prepared`, this function is
  /// inlinable, because SQL functions in another module call it for millions of rows.
  @inlinable
  package func withText<Result, Failure>(
    at index: Int, _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(textBytes(at: index))
  }

  @usableFromInline
  func textBytes(at index: Int) -> UnsafeBufferPointer<UInt8> {
    let start = sqlite3_value_text(arguments[index])
    return UnsafeBufferPointer(start: start, count: Int(sqlite3_value_bytes(arguments[index])))
  }

  /// Returns the number of an argument, or nil for NULL.
  package func number(at index: Int) -> Double? {
    guard !isNull(at: index) else { return nil }
    return sqlite3_value_double(arguments[index])
  }

  /// Returns the integer of an argument, or nil for NULL. A real loses its fraction.
  package func integer(at index: Int) -> Int64? {
    isNull(at: index) ? nil : sqlite3_value_int64(arguments[index])
  }

  package func isInteger(at index: Int) -> Bool {
    sqlite3_value_type(arguments[index]) == SQLITE_INTEGER
  }

  /// Returns the bytes of a blob, which are valid during the call, or nil for other values and for an empty blob.
  package func bytes(at index: Int) -> UnsafeRawBufferPointer? {
    guard sqlite3_value_type(arguments[index]) == SQLITE_BLOB,
      let start = sqlite3_value_blob(arguments[index])
    else { return nil }
    let count = Int(sqlite3_value_bytes(arguments[index]))
    return UnsafeRawBufferPointer(start: start, count: count)
  }

  /// Returns the value of an argument with its storage class, or nil for NULL.
  package func value(at index: Int) -> SQLiteValue? {
    switch sqlite3_value_type(arguments[index]) {
    case SQLITE_INTEGER: integer(at: index).map { .integer($0) }
    case SQLITE_FLOAT: number(at: index).map { .real($0) }
    case SQLITE_TEXT: text(at: index).map { .text($0) }
    case SQLITE_BLOB: .blob(bytes(at: index).map(Array.init) ?? [])
    default: nil
    }
  }

  /// The maximum size of a text or blob in SQLite, in bytes.
  package var largestValue: Int64 {
    Int64(sqlite3_limit(sqlite3_context_db_handle(context), SQLITE_LIMIT_LENGTH, -1))
  }

  package func returnNull() { sqlite3_result_null(context) }

  /// Ends the statement with an error about the value of a row. Its code, SQLITE_MISMATCH, distinguishes it from errors
  /// in the SQL.
  package func fail(_ message: String) {
    sqlite3_result_error(context, message, -1)
    sqlite3_result_error_code(context, SQLITE_MISMATCH)
  }

  /// Ends the statement because of a cancellation.
  package func interrupt() {
    sqlite3_result_error_code(context, SQLITE_INTERRUPT)
  }

  package func answer(_ value: SQLiteValue) {
    switch value {
    case .null: sqlite3_result_null(context)
    case .integer(let number): sqlite3_result_int64(context, number)
    case .real(let number): sqlite3_result_double(context, number)
    case .text(let text):
      text.withSQLiteText {
        sqlite3_result_text64(context, $0, $1, sqliteCopies, UInt8(SQLITE_UTF8))
      }
    case .blob(let bytes) where bytes.isEmpty: sqlite3_result_zeroblob(context, 0)
    case .blob(let bytes):
      sqlite3_result_blob64(context, bytes, UInt64(bytes.count), sqliteCopies)
    }
  }
}

extension FunctionCall {
  /// Returns the result of `prepare`, which must depend only on the argument at `index` and on other constant
  /// arguments. If the argument is constant, `prepare` runs once per statement instead of once per row.
  ///
  /// SQLite keeps the result with the argument and discards it when the argument changes:
  /// https://www.sqlite.org/c3ref/get_auxdata.html
  @inlinable
  package func prepared<Work: AnyObject, Failure: Error>(
    at index: Int32, _ prepare: () throws(Failure) -> Work
  ) throws(Failure) -> Work {
    if let kept = kept(at: index) {
      return Unmanaged<Work>.fromOpaque(kept).takeUnretainedValue()
    }
    let work = try prepare()
    keep(Unmanaged.passRetained(work).toOpaque(), at: index)
    return work
  }

  @usableFromInline
  func kept(at index: Int32) -> UnsafeMutableRawPointer? { sqlite3_get_auxdata(context, index) }

  @usableFromInline
  func keep(_ work: UnsafeMutableRawPointer, at index: Int32) {
    sqlite3_set_auxdata(context, index, work) {
      if let work = $0 { Unmanaged<AnyObject>.fromOpaque(work).release() }
    }
  }
}
