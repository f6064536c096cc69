package import SQLiteAccess
import StoreDiagnostics

/// Reads the fields of delimited text from a stream. The format is RFC 4180, but the dialect can have another delimiter
/// and escapes, and records can also end with LF alone.
///
/// The text of a field is in the scanner's memory and valid until the next call.
package struct CSVScanner: ~Copyable {
  package enum Token: Hashable, Sendable {
    /// An unquoted, empty field: NULL.
    case empty
    /// A field with text, which can be empty if the field is quoted.
    case field
    case endOfRecord
    /// The end of the input.
    case end
  }

  private enum Expectation {
    case record, field, delimiter
  }

  package var input: InputText
  private let dialect: CSVDialect
  private var delimiterByte: UInt8
  /// The decoded text of a quoted field with doubled quotes, or of an unquoted field with escapes.
  private var decoded = ByteBuffer(capacity: 256)
  private var isDecoded = false
  /// The range of the field's text in the input, relative to `input.mark`.
  private var textRange = 0..<0
  private var expectation = Expectation.record
  private var isFresh = true
  private var isHeader = true
  /// The beginning of a quoted field; nil for other fields. The field can end in a later line.
  private var quotePosition: TextPosition?

  package init(_ source: some ByteSource, _ dialect: CSVDialect = .detected) {
    input = InputText(source)
    self.dialect = dialect
    delimiterByte = (dialect.delimiter ?? .comma).byte
  }

  /// The text of the last field.
  package var text: UnsafeBufferPointer<UInt8> {
    isDecoded ? decoded.bytes : input.bytes(afterMark: textRange)
  }

  /// Returns the position of the last field.
  package mutating func tokenPosition() -> TextPosition {
    quotePosition ?? input.position(of: input.mark)
  }

  /// Reads the next token.
  ///
  /// - Throws: `InputError` for invalid text, or an error of the source.
  package mutating func next() throws -> Token {
    if isFresh {
      isFresh = false
      try input.skipByteOrderMark()
    }
    switch expectation {
    case .record:
      input.mark = input.index
      guard try input.has(1) else { return .end }
      input.beginRecord()
      if isHeader {
        isHeader = false
        if dialect.delimiter == nil { try detectDelimiter() }
      }
      return try field()
    case .field: return try field()
    case .delimiter: return try delimiter()
    }
  }

  /// Reads a delimiter and the field after it, or the end of a record.
  private mutating func delimiter() throws -> Token {
    guard try input.has(1) else {
      expectation = .record
      try input.endRecord()
      return .endOfRecord
    }
    switch input.base[input.index] {
    case delimiterByte:
      input.index += 1
      return try field()
    case 0x0D:
      guard try input.has(2), input.base[input.index + 1] == 0x0A else {
        throw input.error(.carriageReturn, at: input.index..<input.index + 1)
      }
      input.index += 1
      fallthrough
    case 0x0A:
      input.countLine(endingAt: input.index)
      input.index += 1
      expectation = .record
      try input.endRecord()
      return .endOfRecord
    default: throw input.error(.textAfterQuote, at: input.index..<input.index + 1)
    }
  }

  /// Selects the delimiter that is most frequent in the header, outside of quotes.
  private mutating func detectDelimiter() throws {
    var counts = FieldDelimiter.detected.map { _ in 0 }
    var isQuoted = false
    var offset = 0
    while try input.has(offset + 1) {
      let byte = input.base[input.index + offset]
      if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
      if !isQuoted {
        if byte == 0x0A { break }
        if let found = FieldDelimiter.detected.firstIndex(where: { $0.byte == byte }) {
          counts[found] += 1
        }
      }
      offset += 1
    }
    let best = counts.max() ?? 0
    guard best > 0, let found = counts.firstIndex(of: best) else { return }
    delimiterByte = FieldDelimiter.detected[found].byte
  }

  /// field = quoted / *TEXTDATA
  private mutating func field() throws -> Token {
    input.mark = input.index
    isDecoded = false
    quotePosition = nil
    expectation = .delimiter
    if try input.has(1), input.base[input.index] == UInt8(ascii: "\"") {
      try scanQuoted()
      return .field
    }
    try scanUnquoted()
    return textRange.isEmpty ? .empty : .field
  }

  private mutating func scanUnquoted() throws {
    var union: UInt8 = 0
    let delimiter = delimiterByte
    scan: while true {
      while input.index < input.limit {
        let byte = input.base[input.index]
        switch byte {
        case delimiter, 0x0A, 0x0D: break scan
        case UInt8(ascii: "\""):
          throw input.error(.quoteInField, at: input.index..<input.index + 1)
        default: break
        }
        union |= byte
        input.index += 1
      }
      guard try input.fill() else { break }
    }
    textRange = 0..<input.index - input.mark
    if union >= 0x80 { try validate(from: input.mark, to: input.index) }
    if dialect.hasEscapes { decodeEscapes() }
  }

  private static let escapes: [UInt8: UInt8] = [
    UInt8(ascii: "t"): 0x09, UInt8(ascii: "n"): 0x0A, UInt8(ascii: "r"): 0x0D,
    UInt8(ascii: "\\"): UInt8(ascii: "\\"),
  ]

  /// Decodes the escapes of an unquoted field. A field with a backslash that isn't part of an escape isn't decoded.
  private mutating func decodeEscapes() {
    let field = text
    guard field.contains(UInt8(ascii: "\\")) else { return }
    var bytes: [UInt8] = []
    var index = 0
    while index < field.count {
      guard field[index] == UInt8(ascii: "\\") else {
        bytes.append(field[index])
        index += 1
        continue
      }
      guard index + 1 < field.count, let meant = Self.escapes[field[index + 1]] else { return }
      bytes.append(meant)
      index += 2
    }
    decoded.removeAll()
    decoded.append(bytes)
    isDecoded = true
  }

  /// quoted = '"' *( TEXTDATA / delimiter / CR / LF / '""' ) '"'
  private mutating func scanQuoted() throws {
    quotePosition = input.position(of: input.index)
    input.index += 1
    var start = input.index - input.mark
    while true {
      guard try input.has(1) else { throw unclosedQuote() }
      let byte = input.base[input.index]
      if byte == 0x0A { input.countLine(endingAt: input.index) }
      if byte >= 0x80 {
        try input.skipScalar()
        continue
      }
      input.index += 1
      guard byte == UInt8(ascii: "\"") else { continue }
      let isDoubled = try input.has(1) && input.base[input.index] == UInt8(ascii: "\"")
      if !isDoubled, !isDecoded {
        textRange = start..<input.index - 1 - input.mark
        return
      }
      if !isDecoded { decoded.removeAll() }
      isDecoded = true
      // The first of two quotes belongs to the text. A closing quote doesn't.
      let end = isDoubled ? input.index : input.index - 1
      let piece = input.mark + start
      decoded.append(UnsafeBufferPointer(start: input.base + piece, count: end - piece))
      guard isDoubled else { return }
      input.index += 1
      start = input.index - input.mark
    }
  }

  private mutating func validate(from start: Int, to end: Int) throws {
    let bytes = UnsafeBufferPointer(start: input.base, count: end)
    var index = start
    while index < end {
      let length = UTF8Scalar.length(in: bytes, at: index)
      guard length > 0 else {
        throw input.error(.invalidUTF8(bytes[index]), at: index..<index + 1)
      }
      index += length
    }
  }

  private mutating func unclosedQuote() -> InputError {
    var error = input.error(.unclosedQuote, at: input.mark..<input.mark + 1)
    if let quotePosition {
      error.place.line = quotePosition.line
      error.place.column = quotePosition.column
    }
    return error
  }
}
