import StorePredicate

extension Checking {
  /// `FUNCTION(receiver, 'selector:', …)`: what Foundation's own values answer to.
  mutating func call(
    _ selector: String, of receiver: Expression, _ arguments: [Expression],
    _ checked: inout Expression
  ) -> ValueType {
    if let replacement = Self.replacing(selector, of: receiver, arguments, at: checked.range) {
      let typed = check(replacement)
      checked = typed.expression
      return typed.type
    }
    guard let method = TextMethod(rawValue: selector) else {
      report(
        .unknownMethod(
          selector,
          known: TextMethod.allCases.map(\.rawValue) + ["count", "valueForKey:", "objectForKey:"]),
        at: checked.range)
      return .any
    }
    var target = check(receiver)
    expectText(&target, by: "'\(selector)'")
    var typed = arguments.map { check($0) }
    guard typed.count == (method.argument == nil ? 0 : 1) else {
      report(.wrongMethodArguments(selector, found: typed.count), at: checked.range)
      return method.type
    }
    if method.argument == .text { expectText(&typed[0], by: "'\(selector)'") }
    if method.argument == .number { typed[0] = number(typed[0], by: selector) }
    checked.kind = .method(
      receiver: target.expression, selector: selector, arguments: typed.map(\.expression))
    return method.type
  }

  /// Methods for which the language has a form of its own.
  private static func replacing(
    _ selector: String, of receiver: Expression, _ arguments: [Expression], at range: TextRange
  ) -> Expression? {
    switch (selector, arguments.first?.kind) {
    case ("count", nil): Expression(.element(receiver, .size), range: range)
    case ("valueForKey:", .constant(.string)?), ("objectForKey:", .constant(.string)?):
      Expression(.element(receiver, .at(arguments[0])), range: range)
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
