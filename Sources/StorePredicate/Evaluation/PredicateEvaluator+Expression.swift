#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension PredicateEvaluator {
  mutating func value(_ expression: FormatExpression) throws(EvaluationError) -> EvaluatedValue {
    try descend(at: expression.range) { evaluator throws(EvaluationError) in
      try evaluator.valueOfParts(expression)
    }
  }

  private mutating func valueOfParts(
    _ expression: FormatExpression
  ) throws(EvaluationError) -> EvaluatedValue {
    switch expression.kind {
    case .constant(let value): return .value(value)
    case .selfObject: return root
    case .variable(let name):
      guard let value = elements[name] ?? variables[name] else {
        throw EvaluationError(.unboundVariable(name), at: expression.range)
      }
      return value
    case .keyPath(let base, let steps): return try follow(steps[...], from: value(base))
    case .list(let members): return .list(try values(members))
    case .arithmetic(let operation, let left, let right):
      return .value(try arithmetic(operation, left, right))
    case .negated(let operand):
      return .value(try number(operand)?.negated.value ?? .null)
    case .function(let function, let arguments):
      return try call(function, arguments, at: expression.range)
    case .method(let receiver, let selector, let arguments):
      return try call(selector, of: receiver, arguments, at: expression.range)
    case .cast(let operand, let type): return .value(try cast(operand, to: type))
    case .ternary(let condition, let first, let second):
      return try value(try truth(of: condition) == .yes ? first : second)
    case .subquery(let collection, let variable, let condition):
      return try subquery(collection, variable, condition)
    case .set(let operation, let left, let right): return try combine(operation, left, right)
    case .element(let collection, let index): return try element(index, of: collection)
    }
  }

  mutating func values(_ expressions: [FormatExpression]) throws(EvaluationError)
    -> [EvaluatedValue]
  {
    try expressions.map { expression throws(EvaluationError) in try value(expression) }
  }

  /// Returns the value of an expression as a number, or nil if it is null.
  mutating func number(_ expression: FormatExpression) throws(EvaluationError) -> Number? {
    try number(try value(expression), at: expression.range)
  }

  func number(
    _ value: EvaluatedValue, at range: TextRange
  ) throws(EvaluationError) -> Number? {
    if value.isNull { return nil }
    guard case .value(let plain) = value, let number = plain.number else {
      throw EvaluationError(.expectedNumber(found: value.noun), at: range)
    }
    return number
  }

  /// Returns the result of an arithmetic operator, or null if an operand is null, the divisor is 0 or the result is
  /// NaN.
  ///
  /// A date plus or minus a number of seconds is a date, and the difference of two dates is a number of seconds. `+`
  /// concatenates two texts.
  private mutating func arithmetic(
    _ operation: ArithmeticOperator, _ left: FormatExpression, _ right: FormatExpression
  ) throws(EvaluationError) -> DataValue {
    let (first, second) = (try value(left), try value(right))
    if operation == .add,
      case (.value(.string(let start)), .value(.string(let end))) = (first, second)
    {
      return .string(start + end)
    }
    guard let augend = try number(first, at: left.range),
      let addend = try number(second, at: right.range),
      let result = Number.compute(operation, augend, addend)
    else { return .null }
    let isDate =
      first.isDate != second.isDate
      && (operation == .add || operation == .subtract && first.isDate)
    return isDate && !result.real.isNaN ? .date(result.real) : result.value
  }
}

extension EvaluatedValue {
  fileprivate var isDate: Bool {
    if case .value(.date) = self { true } else { false }
  }
}

extension PredicateEvaluator {
  /// Returns the value of `CAST(operand, 'Type')`, or null if the type can't represent the operand.
  mutating func cast(
    _ operand: FormatExpression, to type: CastType
  ) throws(EvaluationError) -> DataValue {
    let value = try value(operand)
    guard case .value(let plain) = value else {
      if value.isNull { return .null }
      throw EvaluationError(.expectedText(found: value.noun), at: operand.range)
    }
    return plain.cast(to: type)
  }
}

extension DataValue {
  /// Returns the value as another type, or null if the type can't represent it. The SQL function for CAST also calls
  /// this function.
  package func cast(to type: CastType) -> DataValue {
    switch type {
    case .number, .decimal:
      if case .string(let text) = self { return Number(leading: text).value }
      return number?.value ?? .null
    case .string, .url: return text.map(DataValue.string) ?? .null
    case .date:
      if case .string(let text) = self { return ISODate.seconds(text).map(DataValue.date) ?? .null }
      return number.map { .date($0.real) } ?? .null
    case .uuid:
      if case .string(let text) = self {
        return UUID(uuidString: text).map(DataValue.uuid) ?? .null
      }
      return kind == .uuid ? self : .null
    case .data:
      if case .string(let text) = self {
        return Data(base64Encoded: text).map { .binary(Array($0)) } ?? .null
      }
      return kind == .bytes ? self : .null
    }
  }

  /// The value as text; nil if it doesn't have a text form.
  package var text: String? {
    switch self {
    case .null, .binary: nil
    case .boolean(let flag): flag ? "1" : "0"
    case .integer(let number): String(number)
    // A Decimal without a fraction may be stored as an integer or as a real number. Both are "7", as in Foundation.
    case .double(let number): Int64(exactly: number).map { String($0) } ?? number.description
    case .string(let text): text
    case .date(let seconds): ISODate.text(seconds)
    case .uuid(let uuid): uuid.uuidString
    case .objectID(let id): id.uri
    }
  }
}

extension Number {
  /// Creates the number at the beginning of a text, or 0 if the text doesn't begin with a number. SQLite's CAST and
  /// Foundation's `doubleValue` do the same.
  init(leading text: String) {
    let characters = text.utf8.drop { $0 == UInt8(ascii: " ") || (9...13).contains($0) }
    var scan = characters[...]
    func digits() -> Int {
      let rest = scan.drop { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      defer { scan = rest }
      return scan.count - rest.count
    }
    func skip(_ signs: String) -> Bool {
      guard let first = scan.first, signs.utf8.contains(first) else { return false }
      scan = scan.dropFirst()
      return true
    }
    _ = skip("+-")
    var count = digits()
    let isWhole = !skip(".")
    if !isWhole { count += digits() }
    var end = scan.startIndex
    var hasExponent = false
    if count > 0, skip("eE") {
      _ = skip("+-")
      hasExponent = digits() > 0
      if hasExponent { end = scan.startIndex }
    }
    let number = String(Substring(characters[..<end]))
    if isWhole, !hasExponent, let integer = Int64(number) {
      self = .integer(integer)
    } else {
      self = count > 0 ? .real(Double(number) ?? 0) : .integer(0)
    }
  }
}
