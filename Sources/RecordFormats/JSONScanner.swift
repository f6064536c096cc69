package import SQLiteAccess

/// Reads the tokens of JSON text from a stream, strictly by RFC 8259. Several values can follow each other, as in
/// NDJSON.
///
/// The text of a token is in the scanner's memory and valid until the next call. A record without nested values is read
/// without creating Swift strings.
package struct JSONScanner: ~Copyable {
  package enum Token: Hashable, Sendable {
    case beginObject, endObject, beginArray, endArray
    /// A key with the colon after it.
    case key
    case string
    case number
    case `true`, `false`, null
    /// The end of the input, outside of any value.
    case end
  }

  /// The maximum depth of nested arrays and objects.
  package static let depthLimit = 512

  private enum Expectation {
    /// Outside of any value.
    case topLevel
    case value
    case firstElement
    case firstKey
    /// After a comma.
    case element
    /// After a comma.
    case key
    case commaOrEnd
  }

  package var input: InputText
  /// The decoded text of a string with escapes.
  var decoded = ByteBuffer(capacity: 256)
  var isDecoded = false
  /// The range of the token's text in the input, relative to `input.mark`.
  var textRange = 0..<0
  private var isFresh = true
  private var expectation = Expectation.topLevel
  /// True for each open object, false for each open array.
  private var containers: [Bool] = []

  package init(_ source: some ByteSource) {
    input = InputText(source)
  }

  /// The number of open arrays and objects.
  package var depth: Int { containers.count }

  /// The text of the last key, string or number. Strings are decoded.
  package var text: UnsafeBufferPointer<UInt8> {
    isDecoded ? decoded.bytes : input.bytes(afterMark: textRange)
  }

  /// The length of the last key, string or number in the input, including quotes.
  package var tokenLength: Int {
    isDecoded || textRange.lowerBound > 0 ? textRange.upperBound + 1 : textRange.count
  }

  /// Returns the position of the last token.
  package mutating func tokenPosition() -> TextPosition { input.position(of: input.mark) }

  /// Reads the next token.
  ///
  /// - Throws: `InputError` for invalid text, or an error of the source.
  package mutating func next() throws -> Token {
    if isFresh {
      isFresh = false
      try input.skipByteOrderMark()
    }
    while true {
      guard let byte = try skipSpace() else { return try end() }
      input.mark = input.index
      textRange = 0..<0
      switch expectation {
      case .topLevel, .value: return try value(byte)
      case .firstElement:
        return byte == UInt8(ascii: "]") ? close() : try value(byte)
      case .firstKey:
        return byte == UInt8(ascii: "}") ? close() : try key(byte)
      case .element:
        if byte == UInt8(ascii: "]") { throw trailingComma() }
        return try value(byte)
      case .key:
        if byte == UInt8(ascii: "}") { throw trailingComma() }
        return try key(byte)
      case .commaOrEnd:
        if byte == UInt8(ascii: ",") {
          input.index += 1
          expectation = containers.last == true ? .key : .element
        } else if byte == (containers.last == true ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
          return close()
        } else {
          throw unexpected(commaOrEnd)
        }
      }
    }
  }

  /// Skips white space. Returns the next byte, or nil at the end of the input.
  @inline(__always)
  mutating func skipSpace() throws -> UInt8? {
    while true {
      while input.index < input.limit {
        let byte = input.base[input.index]
        if byte > 0x20 { return byte }
        switch byte {
        case 0x0A: input.countLine(endingAt: input.index)
        case 0x20, 0x09, 0x0D: break
        default: return byte
        }
        input.index += 1
      }
      guard try input.fill() else { return nil }
    }
  }

  private var commaOrEnd: String { containers.last == true ? "',' or '}'" : "',' or ']'" }

  private mutating func end() throws -> Token {
    input.mark = input.index
    guard expectation == .topLevel else {
      let wanted =
        switch expectation {
        case .firstKey: "a key or '}'"
        case .key: "a key"
        case .firstElement: "a value or ']'"
        case .commaOrEnd: commaOrEnd
        case .value, .element, .topLevel: "a value"
        }
      throw unexpected(wanted)
    }
    return .end
  }

  private mutating func value(_ byte: UInt8) throws -> Token {
    switch byte {
    case UInt8(ascii: "\""):
      try scanString()
      return finish(.string)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      try scanNumber()
      return finish(.number)
    case UInt8(ascii: "{"): return try open(object: true)
    case UInt8(ascii: "["): return try open(object: false)
    case UInt8(ascii: "t"): return try literal("true", .true)
    case UInt8(ascii: "f"): return try literal("false", .false)
    case UInt8(ascii: "n"): return try literal("null", .null)
    default: throw unexpected("a value")
    }
  }

  private mutating func key(_ byte: UInt8) throws -> Token {
    guard byte == UInt8(ascii: "\"") else { throw unexpected("a key in double quotes") }
    try scanString()
    // The mark remains at the key, because the caller hasn't read its text yet.
    guard try skipSpace() == UInt8(ascii: ":") else { throw unexpected("':' after the key") }
    input.index += 1
    expectation = .value
    return .key
  }

  @inline(__always)
  private mutating func finish(_ token: Token) -> Token {
    expectation = containers.isEmpty ? .topLevel : .commaOrEnd
    return token
  }

  private mutating func open(object isObject: Bool) throws -> Token {
    guard containers.count < Self.depthLimit else {
      throw input.error(.tooDeep(limit: Self.depthLimit), at: input.index..<input.index + 1)
    }
    containers.append(isObject)
    input.index += 1
    expectation = isObject ? .firstKey : .firstElement
    return isObject ? .beginObject : .beginArray
  }

  private mutating func close() -> Token {
    input.index += 1
    return finish(containers.removeLast() ? .endObject : .endArray)
  }

  private mutating func literal(_ word: StaticString, _ token: Token) throws -> Token {
    let length = word.utf8CodeUnitCount
    guard try input.has(length),
      word.withUTF8Buffer({
        $0.elementsEqual(UnsafeBufferPointer(start: input.base + input.index, count: length))
      })
    else { throw unexpected("a value") }
    input.index += length
    return finish(token)
  }

  private mutating func trailingComma() -> InputError {
    input.error(.trailingComma, at: input.index..<input.index + 1)
  }

  /// Returns the error for an unexpected byte at `index`, or for an unexpected end of the input.
  package mutating func unexpected(_ wanted: String) -> InputError {
    guard input.index < input.limit else {
      if let unfinished = input.unfinishedRecord(wanted) { return unfinished }
      return input.error(
        .expected(wanted, found: .endOfInput), at: input.index..<input.index + 1)
    }
    return input.error(
      .expected(wanted, found: .character(foundCharacter())), at: wordRange())
  }

  /// Returns the range of a whole word, such as `None`, which is clearer in an error than its first letter.
  private func wordRange() -> Range<Int> {
    var end = input.index
    while end < input.limit, end - input.index < 20, Self.isWordByte(input.base[end]) { end += 1 }
    return input.index..<max(end, input.index + 1)
  }

  private func foundCharacter() -> String {
    let range = wordRange()
    let bytes = UnsafeBufferPointer(
      start: input.base + range.lowerBound, count: input.limit - range.lowerBound)
    let length = range.count > 1 ? range.count : UTF8Scalar.length(in: bytes, at: 0)
    guard length > 0, bytes[0] >= 0x20, bytes[0] != 0x7F else {
      return "the byte 0x" + String(bytes[0], radix: 16, uppercase: true)
    }
    return "'" + String(decoding: bytes.prefix(length), as: UTF8.self) + "'"
  }

  private static func isWordByte(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
      || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}
