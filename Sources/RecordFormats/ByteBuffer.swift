package import SQLiteAccess
import StorePredicate

/// A buffer for output, which grows as needed and is reused.
///
/// Formatting a million rows appends ten million small pieces. Each of them reserves its space once and then writes
/// through the pointer. Only a buffer that must grow allocates memory.
package struct ByteBuffer: ~Copyable {
  private var start: UnsafeMutablePointer<UInt8>
  private var capacity: Int
  package private(set) var count = 0
  /// Reusable space for formatting a date.
  var dateBytes: [UInt8] = []

  package init(capacity: Int = 1 << 16) {
    start = .allocate(capacity: max(capacity, 64))
    self.capacity = max(capacity, 64)
  }

  deinit { start.deallocate() }

  package var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: start, count: count) }

  package var isEmpty: Bool { count == 0 }

  package mutating func removeAll() { count = 0 }

  /// Removes the bytes after the first `length` bytes.
  package mutating func truncate(to length: Int) { count = min(count, length) }

  /// Removes the spaces at the end, but no bytes before `start`.
  mutating func trimSpaces(from start: Int) {
    while count > start, bytes[count - 1] == UInt8(ascii: " ") { count -= 1 }
  }

  /// Reserves space for `extra` more bytes.
  @inline(__always)
  package mutating func reserve(_ extra: Int) {
    if capacity - count < extra { grow(by: extra) }
  }

  @inline(never)
  private mutating func grow(by extra: Int) {
    let larger = max(capacity * 2, count + extra)
    let moved = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
    moved.update(from: start, count: count)
    start.deallocate()
    start = moved
    capacity = larger
  }

  /// The position of the next byte, for code that reserves space, writes bytes and commits them.
  @inline(__always)
  package var end: UnsafeMutablePointer<UInt8> { start + count }

  @inline(__always)
  package mutating func commit(_ written: Int) { count += written }

  @inline(__always)
  package mutating func append(_ byte: UInt8) {
    reserve(1)
    start[count] = byte
    count += 1
  }

  @inline(__always)
  package mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    reserve(bytes.count)
    if let source = bytes.baseAddress { end.update(from: source, count: bytes.count) }
    count += bytes.count
  }

  /// Appends `count` copies of a byte, or nothing if `count` isn't positive.
  mutating func append(_ byte: UInt8, count: Int) {
    guard count > 0 else { return }
    reserve(count)
    end.update(repeating: byte, count: count)
    commit(count)
  }

  package mutating func append(_ literal: StaticString) {
    append(UnsafeBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount))
  }

  package mutating func append(_ text: String) {
    var text = text
    text.withUTF8 { append($0) }
  }

  package mutating func append(_ bytes: [UInt8]) {
    bytes.withUnsafeBufferPointer { append($0) }
  }

  /// The bytes as text, with invalid UTF-8 replaced, for messages and tests.
  package var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Appends text as a JSON string with quotes. Invalid UTF-8 becomes U+FFFD.
  package mutating func append(jsonString text: UnsafeBufferPointer<UInt8>) {
    // Enough for text without escapes. Other text reserves more.
    reserve(text.count + 16)
    end.pointee = UInt8(ascii: "\"")
    commit(1)
    var index = 0
    while index < text.count {
      let plain = Self.plainPrefix(of: text, from: index)
      append(UnsafeBufferPointer(rebasing: text[index..<plain]))
      index = plain
      if index < text.count { index = appendSpecial(text, at: index) }
    }
    append(UInt8(ascii: "\""))
  }

  /// Appends text. Invalid UTF-8 becomes U+FFFD.
  package mutating func append(validated text: UnsafeBufferPointer<UInt8>) {
    var index = 0
    while index < text.count {
      let ascii = Self.asciiPrefix(of: text, from: index)
      append(UnsafeBufferPointer(rebasing: text[index..<ascii]))
      index = ascii
      if index < text.count { index = appendScalar(text, at: index) }
    }
  }

  /// Returns the end of the ASCII text at `start` that JSON doesn't need to escape. Checks eight bytes at a time.
  @inline(__always)
  private static func plainPrefix(of text: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    var index = start
    let raw = UnsafeRawBufferPointer(text)
    while index + 8 <= text.count {
      let word = raw.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      // Bit 7 of a byte in `special` is set if the byte is below 0x20, a quote, a backslash or not ASCII. A borrow can
      // also set it for the next byte, so the loop below checks the bytes one by one.
      let ones: UInt64 = 0x0101_0101_0101_0101
      let control = word &- (ones &* 0x20)
      let quote = (word ^ (ones &* 0x22)) &- ones
      let backslash = (word ^ (ones &* 0x5C)) &- ones
      let special = control | quote | backslash | word
      if special & 0x8080_8080_8080_8080 != 0 { break }
      index += 8
    }
    while index < text.count, isPlain(text[index]) { index += 1 }
    return index
  }

  @inline(__always)
  private static func isPlain(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte < 0x80 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
  }

  fileprivate static func asciiPrefix(of text: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    var index = start
    let raw = UnsafeRawBufferPointer(text)
    while index + 8 <= text.count,
      raw.loadUnaligned(fromByteOffset: index, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
    {
      index += 8
    }
    while index < text.count, text[index] < 0x80 { index += 1 }
    return index
  }

  /// Escapes a byte or copies a scalar, and returns the index after it.
  private mutating func appendSpecial(_ text: UnsafeBufferPointer<UInt8>, at index: Int) -> Int {
    switch text[index] {
    case UInt8(ascii: "\""): append("\\\"")
    case UInt8(ascii: "\\"): append("\\\\")
    case 0x0A: append("\\n")
    case 0x0D: append("\\r")
    case 0x09: append("\\t")
    case 0x08: append("\\b")
    case 0x0C: append("\\f")
    case let control where control < 0x20:
      append(control < 0x10 ? "\\u000" : "\\u001")
      let digit = control & 0x0F
      append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
    default: return appendScalar(text, at: index)
    }
    return index + 1
  }

  private mutating func appendScalar(_ text: UnsafeBufferPointer<UInt8>, at index: Int) -> Int {
    let length = UTF8Scalar.length(in: text, at: index)
    guard length > 0 else {
      append("\u{FFFD}")
      return index + 1
    }
    append(UnsafeBufferPointer(rebasing: text[index..<index + length]))
    return index + length
  }
}

/// Validation of UTF-8 (Unicode standard, table 3-7).
package enum UTF8Scalar {
  /// Returns whether a text is valid UTF-8.
  package static func areValid(in text: UnsafeBufferPointer<UInt8>) -> Bool {
    var index = ByteBuffer.asciiPrefix(of: text, from: 0)
    while index < text.count {
      let length = length(in: text, at: index)
      guard length > 0 else { return false }
      index = ByteBuffer.asciiPrefix(of: text, from: index + length)
    }
    return true
  }

  /// Returns the length of the scalar that begins at `index`, or 0 if it is invalid.
  package static func length(in text: UnsafeBufferPointer<UInt8>, at index: Int) -> Int {
    let first = text[index]
    if first < 0x80 { return 1 }
    guard let (length, second) = lead(first), index + length <= text.count,
      second.contains(text[index + 1])
    else { return 0 }
    for offset in 2..<max(length, 2) where text[index + offset] & 0xC0 != 0x80 { return 0 }
    return length
  }

  /// Returns the length of the sequence that begins with a byte, and the valid range of its second byte. Returns nil if
  /// no sequence of several bytes can begin with it.
  private static func lead(_ byte: UInt8) -> (Int, ClosedRange<UInt8>)? {
    switch byte {
    case 0xC2...0xDF: (2, 0x80...0xBF)
    case 0xE0: (3, 0xA0...0xBF)
    case 0xED: (3, 0x80...0x9F)  // no surrogates
    case 0xE1...0xEF: (3, 0x80...0xBF)
    case 0xF0: (4, 0x90...0xBF)
    case 0xF1...0xF3: (4, 0x80...0xBF)
    case 0xF4: (4, 0x80...0x8F)  // at most U+10FFFF
    default: nil
    }
  }
}

extension ByteBuffer {
  /// Appends a date as ISO 8601. NaN, infinity and numbers beyond `ISODate.limit` are appended as numbers.
  ///
  /// - Parameter seconds: the seconds since 2001.
  package mutating func append(date seconds: Double) {
    dateBytes.removeAll(keepingCapacity: true)
    if ISODate.append(seconds, to: &dateBytes) {
      append(dateBytes)
    } else {
      append(shortest: seconds)
    }
  }

  package mutating func append(json text: String) {
    var text = text
    text.withUTF8 { append(jsonString: $0) }
  }

  /// Appends the value of a column as JSON.
  @inline(__always)
  package mutating func append(
    jsonOf column: Int, of row: UnsafePointer<PackedRows.Cell>, in rows: PackedRows,
    _ shape: RowShape
  ) throws {
    let start = count
    switch try append(column, of: row, in: rows, shape) {
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

  /// Appends the value of a column as text, or nothing for NULL.
  ///
  /// - Returns: false for NULL.
  @discardableResult
  package mutating func append(
    textOf column: Int, of row: UnsafePointer<PackedRows.Cell>, in rows: PackedRows,
    _ shape: RowShape
  ) throws -> Bool {
    switch try append(column, of: row, in: rows, shape) {
    case .literal, .plain: break
    case .null: return false
    case .text(let text): append(validated: text)
    case .special(let name): append(name)
    case .list(let list): list.write(into: &self, between: " ")
    }
    return true
  }

  @inline(__always)
  mutating func append(
    _ column: Int, of row: UnsafePointer<PackedRows.Cell>, in rows: PackedRows, _ shape: RowShape
  ) throws -> CellForm {
    try append(
      row[shape.cells[column]], as: shape.columns[column].content, of: row, in: rows,
      largeValues: shape.largeValues)
  }

  /// Encloses the bytes from index `start` on, which don't require escapes, in quotes.
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
