extension PredicateEvaluator {
  /// `FUNCTION(receiver, 'selector:', …)`: the methods of Foundation's own values that need no
  /// Foundation to be called.
  mutating func call(
    _ selector: String, of receiver: Expression, _ arguments: [Expression], at range: TextRange
  ) throws(EvaluationError) -> EvaluatedValue {
    let target = try value(receiver)
    let values = try values(arguments)
    if target.isNull { return .null }
    if case .value(.string(let text)) = target,
      let result = Self.call(selector, of: text, values)
    {
      return .value(result)
    }
    switch (selector, values.first) {
    case ("count", nil):
      if let members = target.members { return .value(.integer(Int64(members.count))) }
    case ("valueForKey:", .value(.string(let key))?), ("objectForKey:", .value(.string(let key))?):
      return try follow([KeyPathStep(.key(key), range: range)][...], from: target)
    default: break
    }
    throw EvaluationError(.unknownMethod(selector), at: range)
  }

  /// Nil for what is no method of a string, or not with these arguments.
  private static func call(
    _ selector: String, of text: String, _ arguments: [EvaluatedValue]
  ) -> Value? {
    switch (selector, arguments.first) {
    case ("uppercaseString", nil): .string(text.uppercased())
    case ("lowercaseString", nil): .string(text.lowercased())
    case ("length", nil): .integer(Int64(text.utf16.count))
    case ("description", nil): .string(text)
    case ("integerValue", nil), ("intValue", nil): .integer(Number(leading: text).integer)
    case ("doubleValue", nil): .double(Number(leading: text).real)
    case ("stringByAppendingString:", .value(.string(let other))?): .string(text + other)
    case ("hasPrefix:", .value(.string(let part))?):
      .boolean(!part.isEmpty && text.utf8.starts(with: part.utf8))
    case ("hasSuffix:", .value(.string(let part))?):
      .boolean(!part.isEmpty && text.utf8.reversed().starts(with: part.utf8.reversed()))
    case ("substringFromIndex:", .value(let value)?):
      value.number.flatMap { text.splitAtUnit($0.integer) }.map { .string($0.1) }
    case ("substringToIndex:", .value(let value)?):
      value.number.flatMap { text.splitAtUnit($0.integer) }.map { .string($0.0) }
    default: nil
    }
  }
}

extension String {
  /// The parts before and behind a unit of UTF-16, in which Foundation counts; nil beyond the end.
  fileprivate func splitAtUnit(_ offset: Int64) -> (String, String)? {
    let units = Array(utf16)
    guard offset >= 0, offset <= units.count else { return nil }
    return (
      String(decoding: units[..<Int(offset)], as: UTF16.self),
      String(decoding: units[Int(offset)...], as: UTF16.self)
    )
  }
}
