package import SQLiteAccess

/// Rows as delimited text with a header: CSV (RFC 4180) or tab-separated values.
package struct DelimitedRows: RowFormatter {
  package enum Dialect: Hashable, Sendable {
    /// NULL is an empty field, and empty text is `""`.
    case csv
    /// Tabs, line ends and backslashes are written as `\t`, `\n`, `\r` and `\\`. NULL and empty text are empty fields.
    case tsv
  }

  private let shape: RowShape
  private let dialect: Dialect
  private let delimiter: UInt8
  private let hasHeader: Bool

  package init(_ shape: RowShape, dialect: Dialect, hasHeader: Bool = true) {
    self.shape = shape
    self.dialect = dialect
    self.hasHeader = hasHeader
    delimiter = dialect == .csv ? UInt8(ascii: ",") : UInt8(ascii: "\t")
  }

  package mutating func begin(into out: inout ByteBuffer) {
    guard hasHeader else { return }
    for (index, column) in shape.columns.enumerated() {
      if index > 0 { out.append(delimiter) }
      var name = column.name
      name.withUTF8 { append($0, into: &out) }
    }
    out.append(UInt8(ascii: "\n"))
  }

  package mutating func append(_ rows: PackedRows, into out: inout ByteBuffer) throws {
    let columns = shape.columns
    let cells = shape.cells
    let largeValues = shape.largeValues
    for index in 0..<rows.count {
      let row = UnsafePointer(rows.cells(ofRow: index))
      for column in 0..<columns.count {
        if column > 0 { out.append(delimiter) }
        let form = try out.append(
          row[cells[column]], as: columns[column].content, of: row, in: rows,
          largeValues: largeValues)
        switch form {
        case .literal, .plain, .null: break
        case .text(let text): append(text, into: &out)
        case .special(let name): out.append(name)
        case .list(let list): list.write(into: &out, between: " ")
        }
      }
      out.append(UInt8(ascii: "\n"))
    }
  }

  package mutating func end(into out: inout ByteBuffer) {}

  @inline(__always)
  private func append(_ text: UnsafeBufferPointer<UInt8>, into out: inout ByteBuffer) {
    switch dialect {
    case .csv: out.append(csvField: text)
    case .tsv: out.append(tsvField: text)
    }
  }
}

extension ByteBuffer {
  /// Appends text as a CSV field, in quotes if necessary. Invalid UTF-8 becomes U+FFFD.
  @inline(__always)
  package mutating func append(csvField text: UnsafeBufferPointer<UInt8>) {
    if !text.isEmpty, Self.isPlainCSV(text) {
      append(text)
      return
    }
    guard text.isEmpty || text.contains(where: Self.endsCSVField) else {
      append(validated: text)
      return
    }
    append(UInt8(ascii: "\""))
    var rest = text[...]
    while let quote = rest.firstIndex(of: UInt8(ascii: "\"")) {
      append(validated: UnsafeBufferPointer(rebasing: rest[...quote]))
      append(UInt8(ascii: "\""))
      rest = rest[(quote + 1)...]
    }
    append(validated: UnsafeBufferPointer(rebasing: rest))
    append(UInt8(ascii: "\""))
  }

  /// Returns whether the text is ASCII without commas, quotes and control characters. Checks eight bytes at a time.
  @inline(__always)
  private static func isPlainCSV(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    let raw = UnsafeRawBufferPointer(text)
    let ones: UInt64 = 0x0101_0101_0101_0101
    var index = 0
    while index + 8 <= text.count {
      let word = raw.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      let quote = (word ^ (ones &* 0x22)) &- ones
      let comma = (word ^ (ones &* 0x2C)) &- ones
      let special = (word &- (ones &* 0x20)) | quote | comma | word
      guard special & (ones &* 0x80) == 0 else { return false }
      index += 8
    }
    return text[index...].allSatisfy { $0 >= 0x20 && $0 < 0x80 && !endsCSVField($0) }
  }

  /// Returns whether a byte requires quotes. A carriage return does, because some programs treat it as the end of a
  /// line.
  @inline(__always)
  private static func endsCSVField(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: ",") || byte == UInt8(ascii: "\"") || byte == 0x0A || byte == 0x0D
  }

  package mutating func append(tsvField text: UnsafeBufferPointer<UInt8>) {
    var rest = text[...]
    while let special = rest.firstIndex(where: { Self.tsvEscape($0) != nil }) {
      append(validated: UnsafeBufferPointer(rebasing: rest[..<special]))
      if let escape = Self.tsvEscape(text[special]) { append(escape) }
      rest = rest[(special + 1)...]
    }
    append(validated: UnsafeBufferPointer(rebasing: rest))
  }

  private static func tsvEscape(_ byte: UInt8) -> StaticString? {
    switch byte {
    case 0x09: "\\t"
    case 0x0A: "\\n"
    case 0x0D: "\\r"
    case UInt8(ascii: "\\"): "\\\\"
    default: nil
    }
  }
}
