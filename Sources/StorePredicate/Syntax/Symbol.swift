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

  private static let table = Dictionary(
    uniqueKeysWithValues: allCases.map { (Array($0.rawValue.utf8), $0) })

  /// The longest symbol at the start of `bytes`.
  init?(at bytes: ArraySlice<UInt8>) {
    guard
      let symbol = Self.table[Array(bytes.prefix(2))] ?? Self.table[Array(bytes.prefix(1))]
    else { return nil }
    self = symbol
  }
}
