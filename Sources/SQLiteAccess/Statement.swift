import CSQLite

/// A prepared statement, which is finalized or cached when its scope ends.
package struct Statement: ~Copyable {
  package let handle: OpaquePointer
  package let columnCount: Int32
  package let connection: Connection
  /// The text by which the statement is cached when its scope ends, or nil if the statement is finalized instead.
  private let keptText: String?

  /// - Parameter isKept: whether the statement is cached when its scope ends.
  /// - Throws: `DatabaseError`, such as `sql` for text that SQLite rejects.
  package init(
    _ text: String, on connection: Connection, isKept: Bool = false
  ) throws(DatabaseError) {
    var prepared: OpaquePointer?
    let flags = isKept ? UInt32(SQLITE_PREPARE_PERSISTENT) : 0
    let code = sqlite3_prepare_v3(connection.handle, text, -1, flags, &prepared, nil)
    guard code == SQLITE_OK, let prepared else { throw connection.lastError(code) }
    if !isKept { connection.facts?.doubt() }
    self.init(prepared, on: connection, keeping: isKept ? text : nil)
  }

  /// Wraps a prepared statement.
  ///
  /// - Parameter text: the text by which the statement is cached when its scope ends, or nil to finalize it.
  init(_ prepared: OpaquePointer, on connection: Connection, keeping text: String?) {
    handle = prepared
    columnCount = sqlite3_column_count(prepared)
    self.connection = connection
    keptText = text
  }

  deinit {
    if let keptText, let kept = connection.kept {
      kept.put(handle, keptText)
    } else {
      // The code repeats the error of the last step, which was already thrown.
      sqlite3_finalize(handle)
      // The statement can have changed the schema.
      connection.facts?.doubt()
    }
  }

  /// Moves to the next row.
  /// - Returns: false after the last row.
  package mutating func step() throws(DatabaseError) -> Bool {
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code: throw connection.lastError(code)
    }
  }

  /// Resets the statement for another run. Its parameters keep their values until other values are bound.
  package mutating func reset() {
    // The code repeats the error of the last step, which was already thrown.
    sqlite3_reset(handle)
  }

  /// Binds the values to the parameters `?1`, `?2`, and so on.
  package func bind(_ values: [SQLiteValue]) throws(DatabaseError) {
    for (index, value) in values.enumerated() { try bind(value, at: Int32(index + 1)) }
  }

  /// Binds values to the parameters, runs the statement, which has no results, and resets it.
  package mutating func run(_ values: [SQLiteValue]) throws(DatabaseError) {
    try bind(values)
    _ = try step()
    reset()
  }

  /// Binds integers to the parameters, runs the statement, which has no results, and resets it.
  package mutating func run(_ values: [Int64]) throws(DatabaseError) {
    for (index, value) in values.enumerated() { try bind(key: value, at: Int32(index + 1)) }
    _ = try step()
    reset()
  }

  /// - Parameter index: the number of the parameter, which counts from 1, as in `?1`.
  package func bind(_ value: SQLiteValue, at index: Int32) throws(DatabaseError) {
    let code =
      switch value {
      case .null: sqlite3_bind_null(handle, index)
      case .integer(let number): sqlite3_bind_int64(handle, index, number)
      case .real(let number): sqlite3_bind_double(handle, index, number)
      case .text(let text):
        text.withSQLiteText {
          sqlite3_bind_text64(handle, index, $0, $1, sqliteCopies, UInt8(SQLITE_UTF8))
        }
      case .blob(let bytes) where bytes.isEmpty: sqlite3_bind_zeroblob(handle, index, 0)
      case .blob(let bytes):
        sqlite3_bind_blob64(handle, index, bytes, UInt64(bytes.count), sqliteCopies)
      }
    try connection.require(code)
  }
}

extension Statement {
  /// - Parameter column: the index of the column, which counts from 0.
  package func isNull(at column: Int32) -> Bool {
    sqlite3_column_type(handle, column) == SQLITE_NULL
  }

  package func integer(at column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

  package func real(at column: Int32) -> Double { sqlite3_column_double(handle, column) }

  /// Returns the text of a column. NULL becomes an empty text, and invalid UTF-8 becomes U+FFFD.
  package func text(at column: Int32) -> String {
    guard let bytes = sqlite3_column_text(handle, column) else { return "" }
    let count = Int(sqlite3_column_bytes(handle, column))
    return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
  }

  package func bytes(at column: Int32) -> [UInt8] {
    guard let bytes = sqlite3_column_blob(handle, column) else { return [] }
    let count = Int(sqlite3_column_bytes(handle, column))
    return Array(UnsafeRawBufferPointer(start: bytes, count: count))
  }

  /// Returns the value of a column with its storage class.
  package func value(at column: Int32) -> SQLiteValue {
    switch sqlite3_column_type(handle, column) {
    case SQLITE_INTEGER: .integer(integer(at: column))
    case SQLITE_FLOAT: .real(real(at: column))
    case SQLITE_TEXT: .text(text(at: column))
    case SQLITE_BLOB: .blob(bytes(at: column))
    default: .null
    }
  }
}

/// Functions for loops in which creating a Swift value per column would be slow.
extension Statement {
  /// Copies the current row to the end of `rows`.
  @inline(__always)
  package func copyRow(into rows: PackedRows) {
    let cells = rows.nextCells
    for index in 0..<columnCount {
      // Each `sqlite3_column_` function would look the column up again. The `sqlite3_value_` functions don't, and are
      // safe here, because only one thread uses the connection.
      let value = sqlite3_column_value(handle, index)
      let cell: PackedRows.Cell
      switch sqlite3_value_type(value) {
      case SQLITE_INTEGER: cell = .integer(sqlite3_value_int64(value))
      case SQLITE_FLOAT: cell = .real(sqlite3_value_double(value))
      case SQLITE_TEXT:
        let text = sqlite3_value_text(value)
        cell = rows.cell(.text, text, count: Int(sqlite3_value_bytes(value)))
      case SQLITE_BLOB:
        let blob = sqlite3_value_blob(value)
        cell = rows.cell(.blob, blob, count: Int(sqlite3_value_bytes(value)))
      default: cell = .null
      }
      cells[Int(index)] = cell
    }
    rows.commitRow()
  }

  /// Binds the cells of a row to the parameters from `first` on, without copying their bytes. `rows` must not change
  /// until the statement has run.
  @inline(__always)
  package func bind(row: Int, of rows: PackedRows, from first: Int32) throws(DatabaseError) {
    let cells = rows.cells(ofRow: row)
    for index in 0..<rows.width {
      let code = Self.bind(
        cells[index], of: rows, at: first + Int32(truncatingIfNeeded: index), to: handle)
      guard code == SQLITE_OK else { throw connection.lastError(code) }
    }
  }

  @inline(__always)
  private static func bind(
    _ cell: PackedRows.Cell, of rows: PackedRows, at parameter: Int32, to statement: OpaquePointer
  ) -> Int32 {
    switch cell.kind {
    case .null: return sqlite3_bind_null(statement, parameter)
    case .integer: return sqlite3_bind_int64(statement, parameter, cell.integer)
    case .real: return sqlite3_bind_double(statement, parameter, cell.real)
    case .text:
      let bytes = UnsafeRawPointer(rows.bytes(of: cell).baseAddress)
      return sqlite3_bind_text(
        statement, parameter, bytes?.assumingMemoryBound(to: CChar.self), cell.length, nil)
    case .blob where cell.length == 0: return sqlite3_bind_zeroblob(statement, parameter, 0)
    case .blob:
      return sqlite3_bind_blob(
        statement, parameter, rows.bytes(of: cell).baseAddress, cell.length, nil)
    }
  }

  @inline(__always)
  package func bind(key: Int64, at parameter: Int32) throws(DatabaseError) {
    try connection.require(sqlite3_bind_int64(handle, parameter, key))
  }
}

extension String {
  /// Calls `body` with the UTF-8 text and its length. The pointer of an empty text isn't NULL, because SQLite would
  /// treat it as the value NULL.
  func withSQLiteText<Result>(_ body: (UnsafePointer<CChar>, UInt64) -> Result) -> Result {
    var text = self
    return text.withUTF8 { bytes in
      guard let start = bytes.baseAddress else { return body("", 0) }
      return start.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
        body($0, UInt64(bytes.count))
      }
    }
  }
}

/// `SQLITE_TRANSIENT`: SQLite copies the bytes before the call returns.
let sqliteCopies = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
