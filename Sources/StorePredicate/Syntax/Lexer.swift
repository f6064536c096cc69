/// Splits predicate text into tokens, in one pass.
struct Lexer {
  let bytes: [UInt8]
  var position = 0

  /// Returns all tokens of `text`. The last one is `end`, or `invalid` at the first error.
  static func tokens(of text: String) -> [Token] {
    var lexer = Lexer(bytes: Array(text.utf8))
    var tokens: [Token] = []
    while true {
      let token = lexer.next()
      tokens.append(token)
      switch token.kind {
      case .end, .invalid: return tokens
      default: assert(!token.range.isEmpty, "a token has at least one byte")
      }
    }
  }

  private mutating func next() -> Token {
    skipWhiteSpace()
    let start = position
    do throws(PredicateSyntaxError) {
      let kind = try readToken()
      return Token(kind: kind, range: start..<position)
    } catch {
      return Token(kind: .invalid(error.kind), range: error.range.range)
    }
  }

  private mutating func readToken() throws(PredicateSyntaxError) -> Token.Kind {
    guard let byte = peek() else { return .end }
    switch byte {
    case UInt8(ascii: "'"), UInt8(ascii: "\""): return .string(try readString(quote: byte))
    case UInt8(ascii: "0")...UInt8(ascii: "9"): return try readNumber()
    case UInt8(ascii: "$"): return .variable(try readPrefixedName())
    case UInt8(ascii: "@"): return .collectionOperator("@" + (try readPrefixedName()))
    case UInt8(ascii: "#"): return .escapedWord(try readPrefixedName())
    case UInt8(ascii: "%"): return .placeholder(try readPlaceholder())
    default:
      if let word = try readWord() { return word }
      return .symbol(try readSymbol())
    }
  }

  /// Reads the name after `$`, `@` or `#`.
  private mutating func readPrefixedName() throws(PredicateSyntaxError) -> String {
    let start = position
    position += 1
    guard let (name, _) = try readName() else {
      let sign = Character(Unicode.Scalar(bytes[start]))
      throw PredicateSyntaxError(.missingName(after: sign), start..<position)
    }
    return name
  }

  private mutating func readWord() throws(PredicateSyntaxError) -> Token.Kind? {
    let start = position
    guard let (name, isPlain) = try readName() else { return nil }
    guard isPlain else { return .word(name, nil) }
    if let long = keywordWithHyphens(from: start) { return .word(long.rawValue, long) }
    return .word(name, Keyword(spelling: bytes[start..<position]))
  }

  /// Reads one of the keywords that aren't C identifiers: `UTI-CONFORMS-TO`, `UTI-EQUALS`.
  private mutating func keywordWithHyphens(from start: Int) -> Keyword? {
    guard position - start == 3 else { return nil }
    for keyword in [Keyword.utiConformsTo, .utiEquals] {
      let end = start + keyword.rawValue.utf8.count
      guard end <= bytes.count, Keyword(spelling: bytes[start..<end]) == keyword else { continue }
      position = end
      return keyword
    }
    return nil
  }

  private mutating func readSymbol() throws(PredicateSyntaxError) -> Symbol {
    if let symbol = Symbol(bytes[position], peek(1)) {
      position += symbol.rawValue.utf8.count
      return symbol
    }
    let scalar = scalar(at: position)
    let end = position + UTF8.width(scalar)
    throw PredicateSyntaxError(.strayCharacter(Character(scalar)), position..<end)
  }

  // MARK: Bytes and scalars

  func peek(_ ahead: Int = 0) -> UInt8? {
    position + ahead < bytes.count ? bytes[position + ahead] : nil
  }

  func scalar(at offset: Int) -> Unicode.Scalar {
    let lead = bytes[offset]
    guard lead >= 0x80 else { return Unicode.Scalar(lead) }
    let length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2
    let tail = bytes[(offset + 1)..<min(offset + length, bytes.count)]
    let value = tail.reduce(UInt32(lead) & (0x7F >> UInt32(length))) { $0 << 6 | UInt32($1 & 0x3F) }
    return Unicode.Scalar(value) ?? "\u{FFFD}"
  }

  private mutating func skipWhiteSpace() {
    while position < bytes.count {
      let scalar = scalar(at: position)
      let isBlank =
        scalar.isASCII
        ? scalar == " " || (0x09...0x0D).contains(scalar.value) : scalar.properties.isWhitespace
      guard isBlank else { return }
      position += UTF8.width(scalar)
    }
  }
}
