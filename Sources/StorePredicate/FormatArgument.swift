/// A value or expression that replaces `%@`, `%K` or `%d` in predicate text.
///
///     try FormatPredicate(parsing: "%K == %@ AND age > %d", arguments: ["name", "Ray", 30])
public enum FormatArgument: Hashable, Sendable {
  /// A single value.
  case value(DataValue)
  /// A collection, for IN and BETWEEN.
  case list([FormatArgument])
  /// An expression, which becomes part of the tree.
  case expression(FormatExpression)
}

extension FormatArgument: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral, ExpressibleByNilLiteral,
  ExpressibleByArrayLiteral
{
  public init(stringLiteral value: String) { self = .value(.string(value)) }
  public init(integerLiteral value: Int64) { self = .value(.integer(value)) }
  public init(floatLiteral value: Double) { self = .value(.double(value)) }
  public init(booleanLiteral value: Bool) { self = .value(.boolean(value)) }
  public init(nilLiteral: ()) { self = .value(.null) }
  public init(arrayLiteral elements: FormatArgument...) { self = .list(elements) }
}

/// The arguments for the placeholders of a text, which are consumed from left to right.
struct ArgumentQueue {
  let arguments: [FormatArgument]
  private(set) var used = 0

  /// Returns the next argument and its index, which counts from 1.
  mutating func next(
    at range: Range<Int>
  ) throws(PredicateSyntaxError) -> (index: Int, argument: FormatArgument) {
    guard used < arguments.count else {
      throw PredicateSyntaxError(.missingArgument(index: used + 1), range)
    }
    used += 1
    return (used, arguments[used - 1])
  }

  func requireAllUsed(at range: Range<Int>) throws(PredicateSyntaxError) {
    guard used < arguments.count else { return }
    throw PredicateSyntaxError(.surplusArguments(used: used, given: arguments.count), range)
  }
}
