/// The spellings of comparison operators, their options and modifiers.
enum ComparisonTable {
  static let symbols: [Symbol: FormatComparison.Operator] = [
    .equal: .equal, .assignEqual: .equal,
    .notEqual: .notEqual, .lessGreater: .notEqual,
    .less: .less,
    .lessOrEqual: .lessOrEqual, .equalLess: .lessOrEqual,
    .greater: .greater,
    .greaterOrEqual: .greaterOrEqual, .equalGreater: .greaterOrEqual,
  ]

  static let words: [Keyword: FormatComparison.Operator] = [
    .between: .between, .in: .in, .contains: .contains, .beginsWith: .beginsWith,
    .endsWith: .endsWith, .like: .like, .matches: .matches,
  ]

  /// The letters of the options, in the order in which they are written.
  static let optionLetters: [(letter: Character, option: FormatComparison.Options)] = [
    ("c", .caseInsensitive), ("d", .diacriticInsensitive), ("n", .normalized),
    ("l", .localeSensitive),
  ]

  static let options = Dictionary(
    uniqueKeysWithValues: optionLetters.map { ($0.letter, $0.option) })

  /// NONE is parsed as NOT ANY.
  static let modifiers: [Keyword: (modifier: FormatComparison.Modifier, isNegated: Bool)] = [
    .any: (.any, false), .some: (.any, false), .all: (.all, false), .none: (.any, true),
  ]
}

/// The infix operators of expressions with their precedence.
enum BinaryOperator: Hashable, Sendable {
  case arithmetic(ArithmeticOperator)
  case set(SetOperator)

  /// A higher number is a higher precedence. All operators are left-associative.
  var precedence: Int {
    switch self {
    case .set: 1
    case .arithmetic(.bitwiseAnd), .arithmetic(.bitwiseOr), .arithmetic(.bitwiseXor): 2
    case .arithmetic(.shiftLeft), .arithmetic(.shiftRight): 3
    case .arithmetic(.add), .arithmetic(.subtract): 4
    case .arithmetic(.multiply), .arithmetic(.divide): 5
    case .arithmetic(.power): 6
    }
  }

  static let unaryPrecedence = 7
  static let postfixPrecedence = 8

  init?(_ token: Token) {
    if let symbol = token.symbol, let found = Self.symbols[symbol] {
      self = .arithmetic(found)
    } else if let word = token.keyword, let found = Self.words[word] {
      self = .set(found)
    } else {
      return nil
    }
  }

  func callAsFunction(_ left: FormatExpression, _ right: FormatExpression) -> FormatExpression.Kind
  {
    switch self {
    case .arithmetic(let symbol): .arithmetic(symbol, left, right)
    case .set(let word): .set(word, left, right)
    }
  }

  private static let symbols: [Symbol: ArithmeticOperator] = [
    .plus: .add, .minus: .subtract, .times: .multiply, .divide: .divide, .power: .power,
    .ampersand: .bitwiseAnd, .bar: .bitwiseOr, .caret: .bitwiseXor,
    .shiftLeft: .shiftLeft, .shiftRight: .shiftRight,
  ]

  private static let words: [Keyword: SetOperator] = [
    .union: .union, .intersect: .intersect, .minus: .minus,
  ]
}
