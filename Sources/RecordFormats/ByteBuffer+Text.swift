extension ByteBuffer {
  /// Text as a JSON string, quotes included. Bytes that are no UTF-8 become U+FFFD.
  package mutating func append(jsonString text: UnsafeBufferPointer<UInt8>) {
    // An escape is six bytes at most, and so is the replacement of a broken byte.
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

  /// Text as it is; bytes that are no UTF-8 become U+FFFD.
  package mutating func append(validated text: UnsafeBufferPointer<UInt8>) {
    var index = 0
    while index < text.count {
      let ascii = Self.asciiPrefix(of: text, from: index)
      append(UnsafeBufferPointer(rebasing: text[index..<ascii]))
      index = ascii
      if index < text.count { index = appendScalar(text, at: index) }
    }
  }

  /// The end of the run of printable ASCII without `"` and `\`: eight bytes a step.
  @inline(__always)
  private static func plainPrefix(of text: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    var index = start
    let raw = UnsafeRawBufferPointer(text)
    while index + 8 <= text.count {
      let word = raw.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      // Bit 7 of a byte of `special` is set if the byte is below 0x20, a quote, a backslash or not
      // ASCII; a borrow can set it for the byte after such a one, which the loop below sorts out.
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

  /// Escapes one byte or copies one scalar; returns the index after it.
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

/// The shape of well-formed UTF-8 (Unicode standard, table 3-7).
package enum UTF8Scalar {
  /// Whether all bytes of a text are valid.
  package static func areValid(in text: UnsafeBufferPointer<UInt8>) -> Bool {
    var index = ByteBuffer.asciiPrefix(of: text, from: 0)
    while index < text.count {
      let length = length(in: text, at: index)
      guard length > 0 else { return false }
      index = ByteBuffer.asciiPrefix(of: text, from: index + length)
    }
    return true
  }

  /// The bytes of the scalar that begins at `index`; 0 when no valid one does.
  package static func length(in text: UnsafeBufferPointer<UInt8>, at index: Int) -> Int {
    let first = text[index]
    if first < 0x80 { return 1 }
    guard let (length, second) = lead(first), index + length <= text.count,
      second.contains(text[index + 1])
    else { return 0 }
    for offset in 2..<max(length, 2) where text[index + offset] & 0xC0 != 0x80 { return 0 }
    return length
  }

  /// How long the sequence is, and what its second byte may be.
  private static func lead(_ byte: UInt8) -> (Int, ClosedRange<UInt8>)? {
    switch byte {
    case 0xC2...0xDF: (2, 0x80...0xBF)
    case 0xE0: (3, 0xA0...0xBF)
    case 0xED: (3, 0x80...0x9F)  // no surrogates
    case 0xE1...0xEF: (3, 0x80...0xBF)
    case 0xF0: (4, 0x90...0xBF)
    case 0xF1...0xF3: (4, 0x80...0xBF)
    case 0xF4: (4, 0x80...0x8F)  // nothing above U+10FFFF
    default: nil
    }
  }
}
