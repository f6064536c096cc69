import StorePredicate

/// Of predicates and expressions.
extension ArchivedCode {
  enum ExpressionType: Int64 {
    case constant = 0
    case selfObject = 1
    case variable = 2
    case keyPath = 3
    case function = 4
    case union = 5
    case intersect = 6
    case minus = 7
    case keyPathSpecifier = 10
    case symbol = 11
    case subquery = 13
    case list = 14
    case ternary = 20
  }

  static let operators: [(code: Int64, symbol: Comparison.Operator)] = [
    (0, .less), (1, .lessOrEqual), (2, .greater), (3, .greaterOrEqual), (4, .equal), (5, .notEqual),
    (6, .matches), (7, .like), (8, .beginsWith), (9, .endsWith), (10, .in), (99, .contains),
    (100, .between),
  ]

  static let modifiers: [(code: Int64, modifier: Comparison.Modifier)] = [
    (0, .direct), (1, .all), (2, .any),
  ]

  static let arithmetic: [(selector: String, symbol: ArithmeticOperator)] = [
    ("add:to:", .add), ("from:subtract:", .subtract), ("multiply:by:", .multiply),
    ("divide:by:", .divide), ("raise:toPower:", .power), ("bitwiseAnd:with:", .bitwiseAnd),
    ("bitwiseOr:with:", .bitwiseOr), ("bitwiseXor:with:", .bitwiseXor),
    ("leftshift:by:", .shiftLeft), ("rightshift:by:", .shiftRight),
  ]

  static func code(of symbol: Comparison.Operator) -> Int64 {
    operators.first { $0.symbol == symbol }?.code ?? 0
  }

  static func code(of modifier: Comparison.Modifier) -> Int64 {
    modifiers.first { $0.modifier == modifier }?.code ?? 0
  }

  static func selector(of symbol: ArithmeticOperator) -> String {
    arithmetic.first { $0.symbol == symbol }?.selector ?? ""
  }
}
