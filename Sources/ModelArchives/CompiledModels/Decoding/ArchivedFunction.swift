import StorePredicate

/// The built-in functions as archives name them.
enum ArchivedFunction {
  static let arithmetic: [String: ArithmeticOperator] = [
    "add:to:": .add, "from:subtract:": .subtract, "multiply:by:": .multiply,
    "divide:by:": .divide, "raise:toPower:": .power, "bitwiseAnd:with:": .bitwiseAnd,
    "bitwiseOr:with:": .bitwiseOr, "bitwiseXor:with:": .bitwiseXor, "leftshift:by:": .shiftLeft,
    "rightshift:by:": .shiftRight,
  ]

  /// Nil for a selector that is none of them, or with other arguments.
  static func kind(_ selector: String, _ arguments: [FormatExpression]) -> FormatExpression.Kind? {
    if let symbol = arithmetic[selector], arguments.count == 2 {
      return .arithmetic(symbol, arguments[0], arguments[1])
    }
    switch selector {
    case "castObject:toType:":
      guard arguments.count == 2, case .constant(.string(let name)) = arguments[1].kind,
        let type = CastType(rawValue: name)
      else { return nil }
      return .cast(arguments[0], to: type)
    // `pages.@count` is archived as a call: `count:(pages)`.
    case "count:":
      guard arguments.count == 1, case .keyPath(let base, let steps) = arguments[0].kind else {
        return .function(.count, arguments)
      }
      return .keyPath(base: base, steps + [KeyPathStep(.collection(.count))])
    default: return Function(rawValue: selector).map { .function($0, arguments) }
    }
  }
}
