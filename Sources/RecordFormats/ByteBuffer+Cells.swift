package import SQLiteAccess

extension ByteBuffer {
  /// Whether what a cell became needs the format's quoting.
  package enum CellForm {
    /// Written: digits, a date, an ID; never holds a delimiter.
    case plain
    /// Not yet written: text that the format has to quote in its own way.
    case text(UnsafeBufferPointer<UInt8>)
    /// Written as `true` or `false`, or as a number that JSON takes as it is.
    case literal
    /// Nothing written: not a number, or infinite.
    case special(StaticString)
    /// Not yet written: several IDs, which each format joins in its own way.
    case list(ObjectIDList)
    case null
  }

  /// Writes a cell unless it is text, NULL or a number that JSON lacks: those are for the caller.
  ///
  /// SQLite holds any kind of value in any column; a kind that does not fit the column is written
  /// as what it is.
  @inline(__always)
  package mutating func append(
    _ cell: PackedRows.Cell, as content: RowShape.Content, of row: UnsafePointer<PackedRows.Cell>,
    in rows: PackedRows, largeValues: (any LargeValueReader)?
  ) throws -> CellForm {
    if case .objectIDs(let prefixes) = content {
      return .list(ObjectIDList(pairs: rows.bytes(of: cell), prefixes: prefixes))
    }
    switch cell.kind {
    case .null: return .null
    case .text:
      let text = rows.bytes(of: cell)
      if let largeValues, !UTF8Scalar.areValid(in: text) { largeValues.noteInvalidText() }
      return .text(text)
    case .integer:
      return append(integer: cell.integer, as: content, of: row)
    case .real:
      return append(real: cell.real, as: content)
    case .blob:
      return try append(blob: rows.bytes(of: cell), as: content, largeValues: largeValues)
    }
  }

  @inline(__always)
  private mutating func append(
    integer value: Int64, as content: RowShape.Content, of row: UnsafePointer<PackedRows.Cell>
  ) -> CellForm {
    switch content {
    case .boolean where value == 0 || value == 1:
      append(value == 0 ? "false" : "true")
      return .literal
    case .date:
      append(date: Double(value))
      return .plain
    case .objectID(let prefixes):
      append(objectID: value, prefixes, of: row)
      return .plain
    // A whole Double that another tool stored as an integer.
    case .double, .float:
      append(decimal: value)
      append(".0")
      return .literal
    case .integer, .boolean, .decimal, .text, .uuid, .data, .externalData, .objectIDs:
      append(decimal: value)
      return .literal
    }
  }

  private mutating func append(real value: Double, as content: RowShape.Content) -> CellForm {
    guard value.isFinite else {
      return .special(value.isNaN ? "NaN" : value < 0 ? "-Infinity" : "Infinity")
    }
    switch content {
    case .date:
      append(date: value)
      return .plain
    case .float where Float(value).isFinite:
      append(shortest: Float(value))
    default:
      append(shortest: value)
    }
    return .literal
  }

  private mutating func append(
    objectID key: Int64, _ prefixes: RowShape.Prefixes, of row: UnsafePointer<PackedRows.Cell>
  ) {
    switch prefixes {
    case .fixed(let prefix): append(prefix)
    case .byEntity(let cell, let byNumber):
      // A number that the model does not know stands for itself: the row is real all the same.
      append(byNumber[row[cell].integer] ?? Array("x-coredata:///\(row[cell].integer)/p".utf8))
    }
    append(decimal: key)
  }

  private mutating func append(
    blob bytes: UnsafeBufferPointer<UInt8>, as content: RowShape.Content,
    largeValues: (any LargeValueReader)?
  ) throws -> CellForm {
    if content == .uuid, append(uuid: bytes) { return .plain }
    guard content == .externalData, let largeValues else {
      append(base64: bytes)
      return .plain
    }
    var form = CellForm.null
    try largeValues.read(bytes) {
      append(base64: $0)
      form = .plain
    }
    return form
  }
}
