// Names, numbers, strings and placeholders.

extension Lexer {
  /// Reads a C identifier, which may contain letters of any script. An escape, such as `\u0024` for `$`, represents a
  /// character that a name can't contain otherwise. A name with an escape is never a keyword.
  mutating func readName() throws(PredicateSyntaxError) -> (name: String, isPlain: Bool)? {
    var name = ""
    var isPlain = true
    while let byte = peek() {
      if byte == UInt8(ascii: "\\"), let scalar = try readNumericEscape() {
        name.unicodeScalars.append(scalar)
        isPlain = false
        continue
      }
      let scalar = scalar(at: position)
      guard name.isEmpty ? scalar.startsName : scalar.continuesName else { break }
      name.unicodeScalars.append(scalar)
      position += UTF8.width(scalar)
    }
    return name.isEmpty ? nil : (name, isPlain)
  }

  // MARK: Numbers

  mutating func readNumber() throws(PredicateSyntaxError) -> Token.Kind {
    let start = position
    let radixNumber = try readRadixNumber()
    let kind = if let radixNumber { radixNumber } else { try readDecimalNumber() }
    // `12abc` is neither a number nor a name.
    guard position < bytes.count, scalar(at: position).continuesName else { return kind }
    while position < bytes.count, scalar(at: position).continuesName {
      position += UTF8.width(scalar(at: position))
    }
    throw PredicateSyntaxError(.malformedNumber, start..<position)
  }

  /// Reads `0x1F`, `0o17` or `0b101`.
  private mutating func readRadixNumber() throws(PredicateSyntaxError) -> Token.Kind? {
    let radixes: [UInt8: Int] = [
      UInt8(ascii: "x"): 16, UInt8(ascii: "o"): 8, UInt8(ascii: "b"): 2,
    ]
    guard peek() == UInt8(ascii: "0"), let radix = peek(1).flatMap({ radixes[$0 | 0x20] })
    else { return nil }
    let start = position
    position += 2
    let digits = readDigits {
      Character(Unicode.Scalar($0)).hexDigitValue.map { $0 < radix } == true
    }
    guard !digits.isEmpty else { throw PredicateSyntaxError(.malformedNumber, start..<position) }
    guard let value = UInt64(digits, radix: radix) else {
      throw PredicateSyntaxError(.numberOutOfRange, start..<position)
    }
    return .integer(value)
  }

  private mutating func readDecimalNumber() throws(PredicateSyntaxError) -> Token.Kind {
    let start = position
    _ = readDigits(where: Self.isDigit)
    let hasFraction = peek() == UInt8(ascii: ".") && peek(1).map(Self.isDigit) == true
    if hasFraction {
      position += 1
      _ = readDigits(where: Self.isDigit)
    }
    let hasExponent = readExponent()
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    if !hasFraction, !hasExponent, let value = UInt64(text) { return .integer(value) }
    guard hasFraction || hasExponent, let value = Double(text), value.isFinite else {
      throw PredicateSyntaxError(.numberOutOfRange, start..<position)
    }
    return .double(value)
  }

  /// Reads an exponent such as `e-5`. Returns false, and doesn't read anything, if the text isn't an exponent.
  private mutating func readExponent() -> Bool {
    guard let mark = peek(), mark | 0x20 == UInt8(ascii: "e") else { return false }
    let isSigned = peek(1) == UInt8(ascii: "+") || peek(1) == UInt8(ascii: "-")
    guard peek(isSigned ? 2 : 1).map(Self.isDigit) == true else { return false }
    position += isSigned ? 2 : 1
    _ = readDigits(where: Self.isDigit)
    return true
  }

  private mutating func readDigits(where isDigit: (UInt8) -> Bool) -> String {
    let start = position
    while let byte = peek(), isDigit(byte) { position += 1 }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  // MARK: Strings

  /// Reads `'…'` or `"…"`. Each kind of quote can contain the other one.
  mutating func readString(quote: UInt8) throws(PredicateSyntaxError) -> String {
    let start = position
    position += 1
    var text: [UInt8] = []
    while let byte = peek() {
      if byte == quote {
        position += 1
        return String(decoding: text, as: UTF8.self)
      }
      if byte == UInt8(ascii: "\\") {
        text += try readStringEscape()
      } else {
        text.append(byte)
        position += 1
      }
    }
    throw PredicateSyntaxError(.unterminatedString, start..<bytes.count)
  }

  /// Reads a backslash and the escaped character. Before a character without a special meaning, the backslash is
  /// ignored.
  private mutating func readStringEscape() throws(PredicateSyntaxError) -> [UInt8] {
    if let scalar = try readNumericEscape() { return Array(String(scalar).utf8) }
    position += 1
    guard let byte = peek() else { return [] }
    position += 1
    return [Self.letterEscapes[byte] ?? byte]
  }

  private static let letterEscapes: [UInt8: UInt8] = [
    UInt8(ascii: "a"): 0x07, UInt8(ascii: "b"): 0x08, UInt8(ascii: "t"): 0x09,
    UInt8(ascii: "n"): 0x0A, UInt8(ascii: "v"): 0x0B, UInt8(ascii: "f"): 0x0C,
    UInt8(ascii: "r"): 0x0D,
  ]

  /// Reads `\ooo`, `\xHH` or `\uHHHH`, or two of the last form for a surrogate pair. Returns nil for other text.
  private mutating func readNumericEscape() throws(PredicateSyntaxError) -> Unicode.Scalar? {
    let start = position
    if let value = digits(at: 1, count: 3, radix: 8) {
      position += 4
      // All values up to 0o777 are scalars.
      return Unicode.Scalar(value)
    }
    if peek(1) == UInt8(ascii: "x"), let value = digits(at: 2, count: 2, radix: 16) {
      position += 4
      return Unicode.Scalar(value)
    }
    guard peek(1) == UInt8(ascii: "u"), let unit = digits(at: 2, count: 4, radix: 16)
    else { return nil }
    position += 6
    if let scalar = Unicode.Scalar(unit) { return scalar }
    if unit < 0xDC00, peek() == UInt8(ascii: "\\"), peek(1) == UInt8(ascii: "u"),
      let low = digits(at: 2, count: 4, radix: 16), (0xDC00...0xDFFF).contains(low)
    {
      position += 6
      return Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00))
    }
    throw PredicateSyntaxError(.loneSurrogate, start..<position)
  }

  private func digits(at ahead: Int, count: Int, radix: Int) -> UInt32? {
    let start = position + ahead
    guard start + count <= bytes.count else { return nil }
    let digits = bytes[start..<(start + count)]
    // The initializer of UInt32 also accepts a sign, which isn't a digit.
    guard digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }) else { return nil }
    return UInt32(String(decoding: digits, as: UTF8.self), radix: radix)
  }

  // MARK: Placeholders

  /// Reads `%@`, `%K`, or a printf conversion with its length: `%lld`.
  mutating func readPlaceholder() throws(PredicateSyntaxError) -> FormatPlaceholder {
    let start = position
    position += 1
    while let byte = peek(), Self.lengths.contains(byte) { position += 1 }
    if let byte = peek(), let placeholder = Self.conversions[byte] {
      position += 1
      return placeholder
    }
    throw PredicateSyntaxError(.unknownPlaceholder, start..<min(position + 1, bytes.count))
  }

  private static let lengths = Set("hlq".utf8)

  private static let conversions: [UInt8: FormatPlaceholder] = {
    var table: [UInt8: FormatPlaceholder] = [
      UInt8(ascii: "@"): .object, UInt8(ascii: "K"): .keyPath,
    ]
    for byte in "dDiuUxXoO".utf8 { table[byte] = .integer }
    for byte in "fFeEgGaA".utf8 { table[byte] = .double }
    for byte in "sS".utf8 { table[byte] = .string }
    for byte in "cC".utf8 { table[byte] = .character }
    return table
  }()
}

extension Unicode.Scalar {
  /// Whether the scalar can begin a name without an escape.
  var startsName: Bool {
    isASCII ? isASCIILetter || self == "_" : properties.isXIDStart
  }

  /// Whether a name can contain the scalar without an escape.
  var continuesName: Bool {
    isASCII ? isASCIILetter || self == "_" || ("0"..."9").contains(self) : properties.isXIDContinue
  }

  private var isASCIILetter: Bool { ("a"..."z").contains(self) || ("A"..."Z").contains(self) }
}
