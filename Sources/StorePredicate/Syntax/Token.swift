/// A word, symbol or literal of predicate text.
struct Token: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    /// A name, with the keyword that it spells.
    case word(String, Keyword?)
    /// `#word`: a name, even if it spells a keyword.
    case escapedWord(String)
    /// `$NAME`
    case variable(String)
    /// `@count`, with its `@`.
    case collectionOperator(String)
    case string(String)
    /// The digits. A minus is a separate token.
    case integer(UInt64)
    case double(Double)
    case placeholder(Placeholder)
    case symbol(Symbol)
    /// An error. The parser throws it when it reaches the token, so that an error further to the left is reported
    /// first.
    case invalid(PredicateSyntaxError.Kind)
    case end
  }

  var kind: Kind
  /// UTF-8 offsets.
  var range: Range<Int>

  var keyword: Keyword? {
    if case .word(_, let keyword) = kind { keyword } else { nil }
  }

  var symbol: Symbol? {
    if case .symbol(let symbol) = kind { symbol } else { nil }
  }
}

/// The placeholders in predicate text, such as `%@`.
public enum Placeholder: Hashable, Sendable {
  /// `%@`
  case object
  /// `%K`
  case keyPath
  /// `%d %i %u %x %o …`, with any length prefix
  case integer
  /// `%f %e %g %a`
  case double
  /// `%s %S`
  case string
  /// `%c %C`
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

  /// Creates the longest symbol that begins with these two bytes.
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
