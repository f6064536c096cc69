import CSQLite

/// A SQLite database as other programs use it: with SQLite's own VFS, texts as input and output, and explicit
/// transactions.
public final class PlainDatabase {
  public struct SQLiteError: Error, CustomStringConvertible {
    /// SQLite's extended result code.
    public let code: Int32
    public let message: String

    public var description: String { "\(message) (\(code))" }
  }

  private var handle: OpaquePointer?

  /// - Parameter path: the path of a file, which is created if it doesn't exist. Without a path, the database is in
  ///   memory.
  public init(_ path: String = ":memory:", isReadOnly: Bool = false) throws {
    var opened: OpaquePointer?
    let mode = isReadOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
    let code = sqlite3_open_v2(path, &opened, mode, nil)
    handle = opened
    sqlite3_extended_result_codes(opened, 1)
    guard code == SQLITE_OK else { throw failure(code) }
  }

  deinit {
    sqlite3_close_v2(handle)
  }

  /// Closes the connection immediately. Otherwise, it is closed after its last use.
  public func close() throws {
    let code = sqlite3_close(handle)
    guard code == SQLITE_OK else { throw failure(code) }
    handle = nil
  }

  /// Runs statements. Only the rows of the last one are returned.
  public func execute(_ sql: String) throws {
    let code = sqlite3_exec(handle, sql, nil, nil, nil)
    guard code == SQLITE_OK else { throw failure(code) }
  }

  /// Returns the rows of one statement, each value as text, or nil for NULL. Bytes that aren't UTF-8 are replaced.
  public func rows(_ sql: String, _ arguments: String...) throws -> [[String?]] {
    try rows(sql, arguments: arguments)
  }

  public func rows(_ sql: String, arguments: [String]) throws -> [[String?]] {
    try map(sql, arguments) { statement in
      (0..<sqlite3_column_count(statement)).map { column in
        // The text of a number in SQLite has fewer digits than the number.
        sqlite3_column_type(statement, column) == SQLITE_FLOAT
          ? "\(sqlite3_column_double(statement, column))"
          : sqlite3_column_text(statement, column).map { String(cString: $0) }
      }
    }
  }

  /// Returns the first column of all rows, without NULL.
  public func texts(_ sql: String, _ arguments: String...) throws -> [String] {
    try map(sql, arguments) { sqlite3_column_text($0, 0).map { String(cString: $0) } }
      .compactMap(\.self)
  }

  /// Returns the first value of the first row.
  public func text(_ sql: String) throws -> String? {
    try rows(sql).first?.first ?? nil
  }

  /// Returns the bytes of the first value of the first row.
  public func bytes(_ sql: String) throws -> [UInt8] {
    try map(sql, []) { statement in
      let count = Int(sqlite3_column_bytes(statement, 0))
      return Array(UnsafeRawBufferPointer(start: sqlite3_column_blob(statement, 0), count: count))
    }.first ?? []
  }

  /// Calls a function for each action of a statement when it is compiled.
  func authorize(_ judge: @escaping @convention(c) (Int32) -> Int32) throws {
    let code = sqlite3_set_authorizer(
      handle,
      { context, action, _, _, _, _ in
        unsafeBitCast(context, to: (@convention(c) (Int32) -> Int32).self)(action)
      }, unsafeBitCast(judge, to: UnsafeMutableRawPointer.self))
    guard code == SQLITE_OK else { throw failure(code) }
  }

  /// Defines a function with five arguments that returns NULL, in place of an app's function.
  public func define(function name: String) throws {
    let code = sqlite3_create_function_v2(
      handle, name, 5, SQLITE_UTF8, nil, { context, _, _ in sqlite3_result_null(context) }, nil,
      nil, nil)
    guard code == SQLITE_OK else { throw failure(code) }
  }

  private func map<Value>(
    _ sql: String, _ arguments: [String], _ value: (OpaquePointer) -> Value
  ) throws -> [Value] {
    var prepared: OpaquePointer?
    let code = sqlite3_prepare_v2(handle, sql, -1, &prepared, nil)
    guard code == SQLITE_OK, let statement = prepared else { throw failure(code) }
    defer { sqlite3_finalize(statement) }
    let copying = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    for (index, argument) in arguments.enumerated() {
      sqlite3_bind_text(statement, Int32(index + 1), argument, -1, copying)
    }
    var values: [Value] = []
    while true {
      switch sqlite3_step(statement) {
      case SQLITE_ROW: values.append(value(statement))
      case SQLITE_DONE: return values
      case let code: throw failure(code)
      }
    }
  }

  private func failure(_ code: Int32) -> SQLiteError {
    SQLiteError(code: code, message: String(cString: sqlite3_errmsg(handle)))
  }
}
