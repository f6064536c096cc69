/// An expression in the format language, with its location in the text.
public struct FormatExpression: Hashable, Sendable {
  /// The kind of an expression, with its operands.
  public indirect enum Kind: Hashable, Sendable {
    /// A literal or another constant value.
    case constant(Value)
    /// `SELF`, the object that the predicate is evaluated for.
    case selfObject
    /// A variable, such as `$NAME`.
    case variable(String)
    /// A key path, such as `a.b.@count`. The base is `SELF` if the text doesn't contain one.
    case keyPath(base: FormatExpression, [KeyPathStep])
    /// A list, such as `{a, b, c}`.
    case list([FormatExpression])
    /// An arithmetic operation, such as `a + b`.
    case arithmetic(ArithmeticOperator, FormatExpression, FormatExpression)
    /// A negation, such as `-x`. A minus before a number literal is a part of the constant.
    case negated(FormatExpression)
    /// A call of a built-in function, such as `uppercase:(name)`.
    case function(Function, [FormatExpression])
    /// A call of a method: `FUNCTION(receiver, 'selector:', …)`.
    case method(receiver: FormatExpression, selector: String, arguments: [FormatExpression])
    /// A cast, such as `CAST(name, 'NSNumber')`.
    case cast(FormatExpression, to: CastType)
    /// A conditional expression: `TERNARY(condition, a, b)`.
    case ternary(FormatPredicate, FormatExpression, FormatExpression)
    /// The members of a collection that satisfy a condition: `SUBQUERY(collection, $variable, condition)`.
    case subquery(collection: FormatExpression, variable: String, FormatPredicate)
    /// A set operation, such as `a UNION b`.
    case set(SetOperator, FormatExpression, FormatExpression)
    /// An element of a collection, such as `a[FIRST]`.
    case element(FormatExpression, Index)
  }

  /// The kind of the expression, with its operands.
  public var kind: Kind
  /// The location in the text.
  public var range: TextRange

  /// Creates an expression. Expressions that code creates have no location.
  public init(_ kind: Kind, range: TextRange = .none) {
    self.kind = kind
    self.range = range
  }
}

/// An arithmetic operator or an infix bit operator.
public enum ArithmeticOperator: String, Hashable, Sendable, CaseIterable {
  /// Addition.
  case add = "+"
  /// Subtraction.
  case subtract = "-"
  /// Multiplication.
  case multiply = "*"
  /// Division.
  case divide = "/"
  /// Exponentiation.
  case power = "**"
  /// Bitwise AND.
  case bitwiseAnd = "&"
  /// Bitwise OR.
  case bitwiseOr = "|"
  /// Bitwise XOR.
  case bitwiseXor = "^"
  /// A shift to the left.
  case shiftLeft = "<<"
  /// A shift to the right.
  case shiftRight = ">>"
}

/// An operator for two sets.
public enum SetOperator: String, Hashable, Sendable, CaseIterable {
  /// The members of at least one of both sets.
  case union = "UNION"
  /// The members of both sets.
  case intersect = "INTERSECT"
  /// The members of the first set that aren't in the second one.
  case minus = "MINUS"
}

/// The index in `a[…]`.
public enum Index: Hashable, Sendable {
  /// The first element.
  case first
  /// The last element.
  case last
  /// The number of elements.
  case size
  /// The element at a position that counts from 0, or the value of a key.
  case at(FormatExpression)
}

/// The type in the second argument of `CAST`.
public enum CastType: String, Hashable, Sendable, CaseIterable {
  /// A date.
  case date = "NSDate"
  /// A number.
  case number = "NSNumber"
  /// A string.
  case string = "NSString"
  /// A decimal number.
  case decimal = "NSDecimalNumber"
  /// A UUID.
  case uuid = "NSUUID"
  /// Binary data, with Base64 as its text.
  case data = "NSData"
  /// A URL.
  case url = "NSURL"
}

extension FormatExpression {
  /// Returns a key path of the evaluated object, such as `a.b`.
  public static func keyPath(_ keys: String...) -> FormatExpression { keyPath(keys) }

  /// Returns a key path of the evaluated object. `keys` is empty for the object itself.
  public static func keyPath(_ keys: [String]) -> FormatExpression {
    FormatExpression(
      .keyPath(base: FormatExpression(.selfObject), keys.map { KeyPathStep(.key($0)) }))
  }

  /// Returns the expression of a constant.
  public static func value(_ value: Value) -> FormatExpression {
    FormatExpression(.constant(value))
  }

  /// The form in which derivations are checked and computed: `items.@count` for `count:(items)`, `items.@sum.price` for
  /// `items.price.@sum` and `sum:(items.price)`.
  ///
  /// Apple's derivations have the operator at the end (docs/formats/model-xml.md). In predicates, it precedes the
  /// attribute.
  package var derivationForm: FormatExpression {
    switch kind {
    case .function(.count, let arguments) where arguments.count == 1:
      arguments[0].appending(.count)?.derivationForm ?? self
    case .function(.sum, let arguments) where arguments.count == 1:
      arguments[0].appending(.sum)?.derivationForm ?? self
    case .keyPath(let base, let steps) where Self.endsWithFold(steps):
      FormatExpression(
        .keyPath(base: base, steps.dropLast(2) + [steps[steps.count - 1], steps[steps.count - 2]]),
        range: range)
    default: self
    }
  }

  private func appending(_ operation: CollectionOperator) -> FormatExpression? {
    guard case .keyPath(let base, let steps) = kind else { return nil }
    return FormatExpression(
      .keyPath(base: base, steps + [KeyPathStep(.collection(operation), range: range)]),
      range: range)
  }

  /// The location of a collection operator that isn't the last step, as in `items.@sum.price`.
  package var foldInTheMiddle: TextRange? {
    guard case .keyPath(_, let steps) = kind else { return nil }
    return steps.dropLast().first { $0.function != nil }?.range
  }

  /// Whether the path ends like `items.price.@sum`, but not like `items.@count`.
  private static func endsWithFold(_ steps: [KeyPathStep]) -> Bool {
    guard steps.count > 2, let last = steps.last?.function else { return false }
    return last != .count && steps.dropLast().allSatisfy { $0.key != nil }
  }
}

/// A step of a key path: a property or a collection operator.
public struct KeyPathStep: Hashable, Sendable {
  /// The kind of a step.
  public enum Kind: Hashable, Sendable {
    /// The name of a property.
    case key(String)
    /// A collection operator, such as `@count` or `@sum`. It applies to the collection before it, or to the path after
    /// it.
    case collection(CollectionOperator)
  }

  /// The kind of the step.
  public var kind: Kind
  /// The location in the text.
  public var range: TextRange

  /// Creates a step. Steps that code creates have no location.
  public init(_ kind: Kind, range: TextRange = .none) {
    self.kind = kind
    self.range = range
  }

  /// The name of a property, or nil for a collection operator.
  package var key: String? {
    if case .key(let name) = kind { name } else { nil }
  }

  /// The collection operator, or nil for a property.
  package var function: CollectionOperator? {
    if case .collection(let function) = kind { function } else { nil }
  }

  /// The notation in a predicate, where a key can require escapes.
  var spelling: String {
    switch kind {
    case .key(let name): FormatName.key(name)
    case .collection(let function): function.rawValue
    }
  }
}

/// An operator on the members of a collection.
public enum CollectionOperator: String, Hashable, Sendable, CaseIterable {
  /// The number of members.
  case count = "@count"
  /// The sum.
  case sum = "@sum"
  /// The minimum.
  case min = "@min"
  /// The maximum.
  case max = "@max"
  /// The average.
  case average = "@avg"
  /// The distinct values of the members.
  case distinctUnionOfObjects = "@distinctUnionOfObjects"
  /// The values of the members.
  case unionOfObjects = "@unionOfObjects"
  /// The distinct values in the arrays of the members.
  case distinctUnionOfArrays = "@distinctUnionOfArrays"
  /// The values in the arrays of the members.
  case unionOfArrays = "@unionOfArrays"
  /// The distinct values in the sets of the members.
  case distinctUnionOfSets = "@distinctUnionOfSets"

  /// Whether the result has several values.
  package var makesCollection: Bool {
    switch self {
    case .count, .sum, .min, .max, .average: false
    case .distinctUnionOfObjects, .unionOfObjects, .distinctUnionOfArrays, .unionOfArrays,
      .distinctUnionOfSets:
      true
    }
  }

  /// Whether the result is unordered and has no duplicates.
  package var isDistinct: Bool {
    switch self {
    case .distinctUnionOfObjects, .distinctUnionOfArrays, .distinctUnionOfSets: true
    case .count, .sum, .min, .max, .average, .unionOfObjects, .unionOfArrays: false
    }
  }
}
