package import SQLiteAccess

extension JSONValue {
  /// The value of a column of a row.
  ///
  /// - Throws: what keeps a large value from being read.
  package init(
    ofColumn column: Int, of row: UnsafePointer<PackedRows.Cell>, in rows: PackedRows,
    _ shape: RowShape
  ) throws {
    var out = ByteBuffer(capacity: 256)
    let form = try out.append(
      row[shape.cells[column]], as: shape.columns[column].content, of: row, in: rows,
      largeValues: shape.largeValues)
    switch form {
    case .null: self.init(.null)
    case .literal:
      let text = out.text
      self.init(text == "true" || text == "false" ? .boolean(text == "true") : .number(text))
    case .plain: self.init(.string(out.text))
    case .text(let text): self.init(.string(String(decoding: text, as: UTF8.self)))
    case .special(let name): self.init(.string(name.description))
    case .list(let list):
      list.write(into: &out, between: " ")
      self.init(.array(out.text.split(separator: " ").map { JSONValue(.string(String($0))) }))
    }
  }
}
