import CSQLite

/// The loops in which a Swift value per column would cost too much.
extension Statement {
  /// Copies the current row behind the last one of `rows`.
  @inline(__always)
  package func copyRow(into rows: PackedRows) {
    let cells = rows.nextCells
    for index in 0..<columnCount {
      // One thread uses the connection, so the value may be read past its mutex, which every
      // `sqlite3_column_` function takes.
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

  /// Binds the cells of a row to the parameters from `first` on, without copying their bytes: `rows`
  /// must stay as it is until the statement has run.
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
    let code = sqlite3_bind_int64(handle, parameter, key)
    guard code == SQLITE_OK else { throw connection.lastError(code) }
  }
}
