/// A token of a statement. Its kind distinguishes names from other text.
package struct SQLToken: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// Blanks and comments.
    case blank
    /// A keyword or a name, with or without quotes.
    case name
    /// A text, a number, an operator or a bound value.
    case other
  }

  package let kind: Kind
  /// The piece of the statement that is the token.
  package let segment: SQL.Segment
  /// The name without quotes. Empty for other tokens.
  package let name: String

  /// Returns whether the token is the keyword `word`, which must be passed in upper case.
  package func isWord(_ word: String) -> Bool { kind == .name && name.uppercased() == word }

  package func isOther(_ text: String) -> Bool { segment == .text(text) && kind == .other }
}

extension SQL {
  /// The tokens of the statement. Together they are the whole statement, including blanks and comments.
  package var tokens: [SQLToken] {
    segments.flatMap { segment -> [SQLToken] in
      switch segment {
      case .text(let text): SQLScanner(text).tokens
      case .name(let name): [SQLToken(kind: .name, segment: segment, name: name)]
      case .value: [SQLToken(kind: .other, segment: segment, name: "")]
      }
    }
  }

  package init(tokens: some Sequence<SQLToken>) {
    self.init(segments: tokens.map(\.segment))
  }

  /// The statements of a script, without the semicolons between them. A trigger is one statement.
  package var statements: [SQL] {
    var found: [SQL] = []
    var current: [SQLToken] = []
    func end() {
      if current.contains(where: { $0.kind != .blank }) {
        found.append(SQL(tokens: current.drop { $0.kind == .blank }))
      }
      current = []
    }
    for token in tokens {
      if token.isOther(";"), !current.isInsideTrigger { end() } else { current.append(token) }
    }
    end()
    return found
  }
}

extension [SQLToken] {
  /// Whether the statement so far creates a trigger whose `END` hasn't been reached.
  fileprivate var isInsideTrigger: Bool {
    let words = lazy.filter { $0.kind != .blank }.prefix(3)
    guard words.first?.isWord("CREATE") == true, words.contains(where: { $0.isWord("TRIGGER") })
    else { return false }
    let last = reversed().lazy.filter { $0.kind != .blank }.prefix(2)
    return !(last.first?.isWord("END") == true && last.dropFirst().first?.isOther(";") == true)
  }
}

/// Splits SQL into tokens. https://www.sqlite.org/lang_keywords.html lists the four kinds of quotes.
private struct SQLScanner {
  private(set) var tokens: [SQLToken] = []
  private let bytes: [UInt8]
  private var position = 0

  init(_ text: String) {
    bytes = Array(text.utf8)
    while position < bytes.count { scan() }
  }

  private func byte(_ offset: Int) -> UInt8? {
    position + offset < bytes.count ? bytes[position + offset] : nil
  }

  private mutating func scan() {
    let start = position
    let first = bytes[position]
    switch first {
    case UInt8(ascii: " "), 9...13:
      position += 1
      add(.blank, from: start)
    case UInt8(ascii: "-") where byte(1) == first:
      skip(to: bytes[position...].firstIndex(of: 10))
      add(.blank, from: start)
    case UInt8(ascii: "/") where byte(1) == UInt8(ascii: "*"):
      skipComment()
      add(.blank, from: start)
    case UInt8(ascii: "'"):
      skipQuoted(until: first)
      add(.other, from: start)
    case UInt8(ascii: "\""), UInt8(ascii: "`"), UInt8(ascii: "["):
      skipQuoted(until: first == UInt8(ascii: "[") ? UInt8(ascii: "]") : first)
      add(.name, from: start)
    case UInt8(ascii: "x"), UInt8(ascii: "X"):
      guard byte(1) == UInt8(ascii: "'") else { return scanWord(.name) }
      position += 1
      skipQuoted(until: UInt8(ascii: "'"))
      add(.other, from: start)
    case UInt8(ascii: "0")...UInt8(ascii: "9"): scanWord(.other)
    case let letter where Self.isLetter(letter): scanWord(.name)
    default:
      position += 1
      add(.other, from: start)
    }
  }

  private mutating func scanWord(_ kind: SQLToken.Kind) {
    let start = position
    while position < bytes.count, Self.isLetter(bytes[position]) { position += 1 }
    add(kind, from: start)
  }

  /// Whether a byte can be in a name or number.
  private static func isLetter(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...0xFF:
      true
    default: false
    }
  }

  private mutating func skip(to end: Int?) { position = end ?? bytes.count }

  private mutating func skipComment() {
    position += 2
    while position < bytes.count {
      if byte(0) == UInt8(ascii: "*"), byte(1) == UInt8(ascii: "/") { return position += 2 }
      position += 1
    }
  }

  /// Skips a quoted text or name, including its closing quote. A doubled quote is part of the text.
  private mutating func skipQuoted(until end: UInt8) {
    skip(to: bytes[(position + 1)...].firstIndex(of: end).map { $0 + 1 })
    while byte(0) == end, end != UInt8(ascii: "]") {
      skip(to: bytes[(position + 1)...].firstIndex(of: end).map { $0 + 1 })
    }
  }

  private mutating func add(_ kind: SQLToken.Kind, from start: Int) {
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    let name = kind == .name ? Self.unquoted(text) : ""
    tokens.append(SQLToken(kind: kind, segment: .text(text), name: name))
  }

  private static func unquoted(_ text: String) -> String {
    guard let first = text.first, first == "\"" || first == "`" || first == "[" else { return text }
    let inner = text.unicodeScalars.dropFirst().dropLast()
    guard let quote = first.unicodeScalars.first, first != "[" else { return String(inner) }
    var result = String.UnicodeScalarView()
    var isSecond = false
    for scalar in inner {
      isSecond = scalar == quote && !isSecond
      if !isSecond { result.append(scalar) }
    }
    return String(result)
  }
}
