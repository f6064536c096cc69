/// A word, symbol or literal of predicate text.
struct Token: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    /// A name, with the keyword that it spells, or nil.
    case word(String, Keyword?)
    /// `#word`: a name, even if it spells a keyword.
    case escapedWord(String)
    /// `$NAME`
    case variable(String)
    /// `@count`, with its `@`.
    case collectionOperator(String)
    case string(String)
    /// A number without a sign. A minus is a separate token.
    case integer(UInt64)
    case double(Double)
    case placeholder(FormatPlaceholder)
    case symbol(Symbol)
    /// An error. The parser throws it when it reaches the token, so that an error further to the left is reported
    /// first.
    case invalid(PredicateSyntaxError.Kind)
    case end
  }

  var kind: Kind
  /// The location in the text, as UTF-8 offsets.
  var range: Range<Int>

  var keyword: Keyword? {
    if case .word(_, let keyword) = kind { keyword } else { nil }
  }

  var symbol: Symbol? {
    if case .symbol(let symbol) = kind { symbol } else { nil }
  }
}

/// The placeholders in predicate text, such as `%@`.
public enum FormatPlaceholder: Hashable, Sendable {
  /// `%@`: a value, a list or an expression.
  case object
  /// `%K`: a key path.
  case keyPath
  /// `%d`, `%i`, `%u`, `%x`, `%o` …, with any length prefix: an integer.
  case integer
  /// `%f`, `%e`, `%g` or `%a`: a number.
  case double
  /// `%s` or `%S`: text.
  case string
  /// `%c` or `%C`: a character.
  case character
}

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

  /// Creates the symbol that consists of both bytes or, if there is none, of the first byte. Fails if neither exists.
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
