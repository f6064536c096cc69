package import SQLiteAccess

extension ByteBuffer {
  /// The form of a cell, which determines how a format quotes it, and whether `append` has already written it.
  package enum CellForm {
    /// Already written: a date, an ID, a UUID or Base64, which don't contain characters that a format must escape.
    case plain
    /// Not yet written: text that requires the format's quoting.
    case text(UnsafeBufferPointer<UInt8>)
    /// Already written: `true`, `false`, or a valid JSON number.
    case literal
    /// Not yet written: the name of NaN or of an infinite number.
    case special(StaticString)
    /// Not yet written: several IDs, which each format joins differently.
    case list(ObjectIDList)
    /// Not yet written: NULL, or a value whose external file is missing.
    case null
  }

  /// Appends a cell and returns its form. The caller must write NULL, text, lists, NaN and infinite numbers itself.
  ///
  /// A column in SQLite can contain values of all storage classes. A value that doesn't fit the column's type is
  /// written according to its storage class.
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
    // A whole Double that another program stored as an integer.
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
      // The ID of a row whose entity is unknown contains the entity's number instead of its name.
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

/// The members of a to-many relationship in a cell: `4:7,4:9`.
package struct ObjectIDList {
  /// The `Z_ENT:Z_PK` of each member; empty if there are no members.
  package let pairs: UnsafeBufferPointer<UInt8>
  /// The beginning of an entity's object IDs, by `Z_ENT`.
  let prefixes: [Int64: [UInt8]]

  package init(pairs: UnsafeBufferPointer<UInt8>, prefixes: [Int64: [UInt8]]) {
    self.pairs = pairs
    self.prefixes = prefixes
  }

  /// Calls `body` with the `Z_ENT`, the beginning of the object ID (nil for an unknown entity) and the `Z_PK` of each
  /// member.
  package func forEach(_ body: (_ number: Int64, _ prefix: [UInt8]?, _ key: Int64) -> Void) {
    for pair in pairs.split(separator: UInt8(ascii: ",")) {
      let parts = pair.split(separator: UInt8(ascii: ":")).map {
        NumberText.integer(UnsafeBufferPointer(rebasing: $0))
      }
      guard parts.count == 2, let number = parts[0], let key = parts[1] else { continue }
      body(number, prefixes[number], key)
    }
  }

  /// Appends the IDs, each enclosed by `before` and `after`, and separated by `between`.
  package func write(
    into out: inout ByteBuffer, before: StaticString = "", after: StaticString = "",
    between: StaticString
  ) {
    for (index, pair) in pairs.split(separator: UInt8(ascii: ",")).enumerated() {
      let parts = pair.split(separator: UInt8(ascii: ":"))
      guard parts.count == 2,
        let number = NumberText.integer(UnsafeBufferPointer(rebasing: parts[0]))
      else { continue }
      if index > 0 { out.append(between) }
      out.append(before)
      out.append(prefixes[number] ?? Array("x-coredata:///\(number)/p".utf8))
      out.append(UnsafeBufferPointer(rebasing: parts[1]))
      out.append(after)
    }
  }
}

extension ByteBuffer {
  package mutating func append(decimal value: Int64) {
    reserve(20)
    var rest = value.magnitude
    var length = value < 0 ? 1 : 0
    var probe = rest
    repeat {
      length += 1
      probe /= 10
    } while probe > 0
    var place = end + length
    repeat {
      place -= 1
      let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
      place.pointee = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digit)
      rest = quotient
    } while rest > 0
    if value < 0 { end.pointee = UInt8(ascii: "-") }
    commit(length)
  }

  /// Appends the shortest digits that read back as the same Double, or `nan`, `inf` or `-inf`.
  package mutating func append(shortest value: Double) { append(value.description) }

  /// Appends the shortest digits that read back as the same Float.
  package mutating func append(shortest value: Float) { append(value.description) }

  /// Appends 16 bytes as `E621E1F8-C36C-495A-93FC-0C247A3E6E5F`. Returns false, without appending, for other lengths.
  package mutating func append(uuid bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard bytes.count == 16 else { return false }
    reserve(36)
    var place = end
    for (index, byte) in bytes.enumerated() {
      if index == 4 || index == 6 || index == 8 || index == 10 {
        place.pointee = UInt8(ascii: "-")
        place += 1
      }
      place[0] = Self.upperHex(byte >> 4)
      place[1] = Self.upperHex(byte & 15)
      place += 2
    }
    commit(36)
    return true
  }

  @inline(__always)
  private static func upperHex(_ nibble: UInt8) -> UInt8 {
    nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "A") + nibble - 10
  }

  /// Appends Base64 (RFC 4648) with padding.
  package mutating func append(base64 bytes: UnsafeBufferPointer<UInt8>) {
    let length = (bytes.count + 2) / 3 * 4
    reserve(length)
    var place = end
    Self.base64Alphabet.withUTF8Buffer { alphabet in
      var index = 0
      while index < bytes.count {
        let left = bytes.count - index
        let second = left > 1 ? bytes[index + 1] : 0
        let third = left > 2 ? bytes[index + 2] : 0
        place[0] = alphabet[Int(bytes[index] >> 2)]
        place[1] = alphabet[Int((bytes[index] & 0x03) << 4 | second >> 4)]
        place[2] = left > 1 ? alphabet[Int((second & 0x0F) << 2 | third >> 6)] : UInt8(ascii: "=")
        place[3] = left > 2 ? alphabet[Int(third & 0x3F)] : UInt8(ascii: "=")
        place += 4
        index += 3
      }
    }
    commit(length)
  }

  private static let base64Alphabet: StaticString =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
}
