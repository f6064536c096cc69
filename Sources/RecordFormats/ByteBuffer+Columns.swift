package import SQLiteAccess

extension ByteBuffer {
  package mutating func append(json text: String) {
    var text = text
    text.withUTF8 { append(jsonString: $0) }
  }

  /// The value of a column as JSON.
  @inline(__always)
  package mutating func append(
    jsonOf column: Int, of row: UnsafePointer<PackedRows.Cell>, in rows: PackedRows,
    _ shape: RowShape
  ) throws {
    let cell = row[shape.cells[column]]
    let start = count
    let content = shape.columns[column].content
    let form = try append(cell, as: content, of: row, in: rows, largeValues: shape.largeValues)
    switch form {
    case .literal: break
    case .plain: quote(from: start)
    case .text(let text): append(jsonString: text)
    case .special(let name): append(json: name.description)
    case .list(let list):
      append("[")
      list.write(into: &self, before: "\"", after: "\"", between: ",")
      append("]")
    case .null: append("null")
    }
  }

  /// The value of a column as text, NULL as none.
  package mutating func append(
    textOf column: Int, of row: UnsafePointer<PackedRows.Cell>, in rows: PackedRows,
    _ shape: RowShape
  ) throws {
    let form = try append(
      row[shape.cells[column]], as: shape.columns[column].content, of: row, in: rows,
      largeValues: shape.largeValues)
    switch form {
    case .literal, .plain, .null: break
    case .text(let text): append(validated: text)
    case .special(let name): append(name)
    case .list(let list): list.write(into: &self, between: " ")
    }
  }

  /// Puts quotes around what was written since `start`: it holds nothing that needs an escape.
  @inline(__always)
  fileprivate mutating func quote(from start: Int) {
    reserve(2)
    let length = count - start
    let place = end - length
    (place + 1).update(from: place, count: length)
    place.pointee = UInt8(ascii: "\"")
    (place + length + 1).pointee = UInt8(ascii: "\"")
    commit(2)
  }
}
