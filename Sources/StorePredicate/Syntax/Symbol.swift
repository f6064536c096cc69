/// The punctuation of the grammar.
enum Symbol: String, Hashable, Sendable, CaseIterable {
  case leftParenthesis = "("
  case rightParenthesis = ")"
  case leftBrace = "{"
  case rightBrace = "}"
  case leftBracket = "["
  case rightBracket = "]"
  case comma = ","
  case dot = "."
  case colon = ":"
  case assign = ":="
  case plus = "+"
  case minus = "-"
  case times = "*"
  case divide = "/"
  case power = "**"
  case ampersand = "&"
  case bar = "|"
  case caret = "^"
  case shiftLeft = "<<"
  case shiftRight = ">>"
  case and = "&&"
  case or = "||"
  case not = "!"
  case equal = "=="
  case assignEqual = "="
  case notEqual = "!="
  case lessGreater = "<>"
  case less = "<"
  case lessOrEqual = "<="
  case equalLess = "=<"
  case greater = ">"
  case greaterOrEqual = ">="
  case equalGreater = "=>"

  /// The longest symbol that begins with these two bytes.
  init?(_ first: UInt8, _ second: UInt8?) {
    let pair = second.flatMap { Self.table[Self.key(first, $0)] }
    guard let symbol = pair ?? Self.table[Self.key(first, nil)] else { return nil }
    self = symbol
  }

  private static let table = Dictionary(
    uniqueKeysWithValues: allCases.map { symbol in
      let bytes = Array(symbol.rawValue.utf8)
      return (key(bytes[0], bytes.dropFirst().first), symbol)
    })

  private static func key(_ first: UInt8, _ second: UInt8?) -> UInt16 {
    UInt16(first) << 8 | UInt16(second ?? 0)
  }
}
