extension PredicateEvaluator {
  /// `FUNCTION(receiver, 'selector:', …)`: the methods of Foundation's own values that need no
  /// Foundation to be called.
  mutating func call(
    _ selector: String, of receiver: FormatExpression, _ arguments: [FormatExpression],
    at range: TextRange
  ) throws(EvaluationError) -> EvaluatedValue {
    let target = try value(receiver)
    let values = try values(arguments)
    if target.isNull || values.contains(where: \.isNull) { return .null }
    if let result = Self.call(selector, of: target, values) { return .value(result) }
    switch (selector, values.first) {
    case ("count", nil):
      if let members = target.members { return .value(.integer(Int64(members.count))) }
    case ("valueForKey:", .value(.string(let key))?), ("objectForKey:", .value(.string(let key))?):
      return try follow([KeyPathStep(.key(key), range: range)][...], from: target)
    default: break
    }
    throw EvaluationError(.unknownMethod(selector), at: range)
  }

  /// Nil for what is not a method of a string, or not with these arguments.
  private static func call(
    _ selector: String, of target: EvaluatedValue, _ arguments: [EvaluatedValue]
  ) -> Value? {
    guard case .value(.string(let text)) = target, let method = TextMethod(rawValue: selector),
      arguments.count < 2
    else { return nil }
    guard let argument = arguments.first else { return method.call(on: text, nil) }
    guard case .value(let value) = argument else { return nil }
    return method.call(on: text, value)
  }
}
