import StorePredicate

extension TypeChecker {
  /// `FUNCTION(receiver, 'selector:', …)`: what Foundation's own values answer to.
  mutating func call(
    _ selector: String, of receiver: FormatExpression, _ arguments: [FormatExpression],
    at range: TextRange
  ) -> TypedExpression {
    if let replacement = Self.replacing(selector, of: receiver, arguments, at: range) {
      return check(replacement)
    }
    guard let method = TextMethod(rawValue: selector) else {
      report(
        .unknownMethod(
          selector,
          known: TextMethod.allCases.map(\.rawValue) + ["count", "valueForKey:", "objectForKey:"]),
        at: range)
      return .mistake(at: range)
    }
    var target = check(receiver)
    expectText(&target, by: "'\(selector)'")
    var typed = arguments.map { check($0) }
    if typed.count != (method.argument == nil ? 0 : 1) {
      report(.wrongMethodArguments(selector, found: typed.count), at: range)
    } else if method.argument == .text {
      expectText(&typed[0], by: "'\(selector)'")
    } else if method.argument == .number {
      typed[0] = number(typed[0], by: selector)
    }
    return TypedExpression(.method(method, receiver: target, typed), as: method.type, at: range)
  }

  /// Methods for which the language has a form of its own.
  private static func replacing(
    _ selector: String, of receiver: FormatExpression, _ arguments: [FormatExpression],
    at range: TextRange
  ) -> FormatExpression? {
    switch (selector, arguments.first?.kind) {
    case ("count", nil): FormatExpression(.element(receiver, .size), range: range)
    case ("valueForKey:", .constant(.string)?), ("objectForKey:", .constant(.string)?):
      FormatExpression(.element(receiver, .at(arguments[0])), range: range)
    default: nil
    }
  }
}

extension TextMethod {
  fileprivate var type: ValueType {
    switch self {
    case .uppercase, .lowercase, .description, .appending, .substringFrom, .substringTo:
      .attribute(.string)
    case .length, .integerValue, .intValue: .attribute(.integer64)
    case .doubleValue: .attribute(.double)
    case .hasPrefix, .hasSuffix: .attribute(.boolean)
    }
  }
}
