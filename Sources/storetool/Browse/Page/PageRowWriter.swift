import RecordFormats
import StoreLayout
import StorePredicate
import SQLiteAccess
import StoreCore

/// Writes rows as the page shows them: no value is longer than a table has room for.
struct PageRowWriter {
  private let shape: RowShape
  private let store: OpenStore

  /// In characters, and so in some multiple of bytes.
  private static let longestText = 200

  init(_ shape: RowShape, of store: OpenStore) {
    self.shape = shape
    self.store = store
  }

  /// - Returns: the row's key.
  /// - Throws: `ExternalValueMissing`
  @discardableResult
  func append(_ rows: PackedRows, to out: inout ByteBuffer) throws -> Int64 {
    let row = UnsafePointer(rows.cells(ofRow: 0))
    let key = row[shape.width - 2].integer
    let entity = store.layout.entity(numbered: row[shape.width - 1].integer)?.name
    out.append("{\"key\":")
    out.append(decimal: key)
    out.append(",\"id\":")
    out.append(
      json: ObjectID(store: store.store.metadata.uuid, entity: entity ?? "", primaryKey: key).uri)
    out.append(",\"cells\":[")
    for column in shape.columns.indices {
      if column > 0 { out.append(",") }
      try append(column, of: row, in: rows, to: &out)
    }
    out.append("]}\n")
    return key
  }

  private func append(
    _ column: Int, of row: UnsafePointer<PackedRows.Cell>, in rows: PackedRows,
    to out: inout ByteBuffer
  ) throws {
    let cell = row[shape.cells[column]]
    let content = shape.columns[column].content
    switch (cell.kind, content) {
    case (.text, _) where Int(cell.length) > Self.longestText * 4:
      append(start: rows.bytes(of: cell), to: &out)
    case (.blob, .externalData):
      var isRead = false
      try shape.largeValues?.read(rows.bytes(of: cell)) {
        append(data: $0, to: &out)
        isRead = true
      }
      if !isRead { out.append("{\"missing\":true}") }
    case (.blob, .data):
      append(data: rows.bytes(of: cell), to: &out)
    // JavaScript would round it.
    case (.integer, .integer) where cell.integer.magnitude > 1 << 53:
      out.append(json: "\(cell.integer)")
    default:
      try out.append(jsonOf: column, of: row, in: rows, shape)
    }
  }

  private func append(start bytes: UnsafeBufferPointer<UInt8>, to out: inout ByteBuffer) {
    // What the end cuts in its midst goes: a scalar of several bytes, and the character that it belongs to.
    var end = Self.longestText * 4
    while end > 0, bytes[end] & 0xC0 == 0x80 { end -= 1 }
    let start = String(decoding: bytes[..<end], as: UTF8.self).dropLast()
    out.append("{\"text\":")
    out.append(json: String(start.prefix(Self.longestText)))
    out.append(",\"length\":")
    out.append(decimal: Int64(String(decoding: bytes, as: UTF8.self).count))
    out.append("}")
  }

  private func append(data bytes: UnsafeBufferPointer<UInt8>, to out: inout ByteBuffer) {
    out.append("{\"bytes\":")
    out.append(decimal: Int64(bytes.count))
    out.append(",\"kind\":")
    out.append(json: DataKind(of: bytes).rawValue)
    out.append("}")
  }
}
