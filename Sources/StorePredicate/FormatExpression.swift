/// An expression of the format language, with its location in the text.
public struct FormatExpression: Hashable, Sendable {
  /// The kinds of expressions.
  public indirect enum Kind: Hashable, Sendable {
    /// A literal value.
    case constant(DataValue)
    /// `SELF`
    case selfObject
    /// `$NAME`
    case variable(String)
    /// `a.b.@count`. The base is `SELF` unless the text contains another one.
    case keyPath(base: FormatExpression, [KeyPathStep])
    /// `{a, b, c}`
    case list([FormatExpression])
    /// `a + b`
    case arithmetic(ArithmeticOperator, FormatExpression, FormatExpression)
    /// `-x`. A minus before a number is part of the constant.
    case negated(FormatExpression)
    /// `uppercase:(name)`
    case function(FormatFunction, [FormatExpression])
    /// `FUNCTION(receiver, 'selector:', …)`
    case method(receiver: FormatExpression, selector: String, arguments: [FormatExpression])
    /// `CAST(x, 'NSNumber')`
    case cast(FormatExpression, to: CastType)
    /// `TERNARY(condition, a, b)`
    case ternary(FormatPredicate, FormatExpression, FormatExpression)
    /// `SUBQUERY(collection, $variable, predicate)`
    case subquery(collection: FormatExpression, variable: String, FormatPredicate)
    /// `a UNION b`
    case set(SetOperator, FormatExpression, FormatExpression)
    /// `a[FIRST]`
    case element(FormatExpression, FormatIndex)
  }

  /// The kind with its parts.
  public var kind: Kind
  /// The location in the text.
  public var range: TextRange

  /// Creates an expression.
  ///
  /// - Parameters:
  ///   - kind: the kind with its parts.
  ///   - range: the location in the text, if the expression was parsed.
  public init(_ kind: Kind, range: TextRange = .none) {
    self.kind = kind
    self.range = range
  }
}

/// `+ - * / **` and the bit operators.
public enum ArithmeticOperator: String, Hashable, Sendable, CaseIterable {
  /// Addition.
  case add = "+"
  /// Subtraction.
  case subtract = "-"
  /// Multiplication.
  case multiply = "*"
  /// Division. The quotient of two integers is an integer.
  case divide = "/"
  /// Exponentiation. The result is real.
  case power = "**"
  /// Bitwise AND.
  case bitwiseAnd = "&"
  /// Bitwise OR.
  case bitwiseOr = "|"
  /// Bitwise exclusive OR.
  case bitwiseXor = "^"
  /// Shift to the left.
  case shiftLeft = "<<"
  /// Shift to the right.
  case shiftRight = ">>"
}

/// The operators that combine two collections into a set.
public enum SetOperator: String, Hashable, Sendable, CaseIterable {
  /// The members of either collection.
  case union = "UNION"
  /// The members of both collections.
  case intersect = "INTERSECT"
  /// The members of the first collection that the second doesn't contain.
  case minus = "MINUS"
}

/// The index in the brackets of `a[…]`.
public enum FormatIndex: Hashable, Sendable {
  /// The first member.
  case first
  /// The last member.
  case last
  /// The number of members.
  case size
  /// The member at an index, which counts from 0, or the value for a key.
  case at(FormatExpression)
}

/// The type that is the second argument of `CAST`.
public enum CastType: String, Hashable, Sendable, CaseIterable {
  /// A date: seconds since 2001-01-01 00:00 UTC, or ISO 8601 text.
  case date = "NSDate"
  /// A number.
  case number = "NSNumber"
  /// Text.
  case string = "NSString"
  /// A decimal number.
  case decimal = "NSDecimalNumber"
  /// A UUID.
  case uuid = "NSUUID"
  /// Binary data, in Base64.
  case data = "NSData"
  /// A URL, as text.
  case url = "NSURL"
}

extension FormatExpression {
  /// Returns the key path `a.b` that begins at the row.
  ///
  /// - Parameter keys: the names of the properties.
  /// - Returns: an expression without a location.
  public static func keyPath(_ keys: String...) -> FormatExpression { keyPath(keys) }

  /// Returns the key path that begins at the row and follows an array of keys.
  ///
  /// - Parameter keys: the names of the properties.
  /// - Returns: an expression without a location.
  public static func keyPath(_ keys: [String]) -> FormatExpression {
    FormatExpression(
      .keyPath(base: FormatExpression(.selfObject), keys.map { KeyPathStep(.key($0)) }))
  }

  /// Returns a constant.
  ///
  /// - Parameter value: the value of the constant.
  /// - Returns: an expression without a location.
  public static func value(_ value: DataValue) -> FormatExpression {
    FormatExpression(.constant(value))
  }

  /// The expression of a derived attribute, in the form in which it is checked and computed: `items.@count` for
  /// `count:(items)`, `items.@sum.price` for `items.price.@sum` and `sum:(items.price)`.
  ///
  /// In Apple's derivation expressions, the operator is the last step (docs/formats/model-xml.md). In predicates, it
  /// precedes the path to which it applies.
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

  /// The keys of a key path that begins at the row and has no collection operators. They are nil for any other
  /// expression.
  package var ownKeys: [String]? {
    guard case .keyPath(let base, let steps) = kind, base.kind == .selfObject else { return nil }
    let keys = steps.compactMap(\.key)
    return keys.count == steps.count ? keys : nil
  }

  /// The key of a key path that consists of one property of the row, or nil for any other expression.
  package var ownKey: String? { ownKeys?.count == 1 ? ownKeys?.first : nil }

  private func appending(_ operation: CollectionOperator) -> FormatExpression? {
    guard case .keyPath(let base, let steps) = kind else { return nil }
    return FormatExpression(
      .keyPath(base: base, steps + [KeyPathStep(.collection(operation), range: range)]),
      range: range)
  }

  /// The location of the first collection operator that isn't the last step, such as `@sum` in `items.@sum.price`. Nil
  /// if there is none.
  package var foldInTheMiddle: TextRange? {
    guard case .keyPath(_, let steps) = kind else { return nil }
    return steps.dropLast().first { $0.function != nil }?.range
  }

  /// Whether the path has the form `items.price.@sum`. `items.@count` doesn't.
  private static func endsWithFold(_ steps: [KeyPathStep]) -> Bool {
    guard steps.count > 2, let last = steps.last?.function else { return false }
    return last != .count && steps.dropLast().allSatisfy { $0.key != nil }
  }
}

/// One step of a key path: a property, or a collection operator.
public struct KeyPathStep: Hashable, Sendable {
  /// The kinds of steps.
  public enum Kind: Hashable, Sendable {
    /// The name of a property.
    case key(String)
    /// `@count`, `@sum` …: an operator for the collection on its left. The path on its right selects the values of the
    /// members, such as `price` in `items.@sum.price`.
    case collection(CollectionOperator)
  }

  /// The kind of the step.
  public var kind: Kind
  /// The location in the text.
  public var range: TextRange

  /// Creates a step.
  ///
  /// - Parameters:
  ///   - kind: the key or operator.
  ///   - range: the location in the text, if the step was parsed.
  public init(_ kind: Kind, range: TextRange = .none) {
    self.kind = kind
    self.range = range
  }

  /// The name of a property; nil for a collection operator.
  package var key: String? {
    if case .key(let name) = kind { name } else { nil }
  }

  /// The collection operator; nil for a property.
  package var function: CollectionOperator? {
    if case .collection(let function) = kind { function } else { nil }
  }

  /// The text of the step in a predicate. A key may require escapes.
  var spelling: String {
    switch kind {
    case .key(let name): FormatName.key(name)
    case .collection(let function): function.rawValue
    }
  }
}

/// The operators in key paths that reduce or combine the members of a collection.
public enum CollectionOperator: String, Hashable, Sendable, CaseIterable {
  /// The number of members.
  case count = "@count"
  /// The sum of the values.
  case sum = "@sum"
  /// The least value.
  case min = "@min"
  /// The greatest value.
  case max = "@max"
  /// The average of the values.
  case average = "@avg"
  /// The distinct values of all members.
  case distinctUnionOfObjects = "@distinctUnionOfObjects"
  /// The values of all members.
  case unionOfObjects = "@unionOfObjects"
  /// The distinct values of all members of several collections.
  case distinctUnionOfArrays = "@distinctUnionOfArrays"
  /// The values of all members of several collections.
  case unionOfArrays = "@unionOfArrays"
  /// The distinct values of all members of several sets.
  case distinctUnionOfSets = "@distinctUnionOfSets"

  /// Whether the result is a collection.
  package var makesCollection: Bool {
    switch self {
    case .count, .sum, .min, .max, .average: false
    case .distinctUnionOfObjects, .unionOfObjects, .distinctUnionOfArrays, .unionOfArrays,
      .distinctUnionOfSets:
      true
    }
  }

  /// Whether the result is a set of distinct values.
  package var isDistinct: Bool {
    switch self {
    case .distinctUnionOfObjects, .distinctUnionOfArrays, .distinctUnionOfSets: true
    case .count, .sum, .min, .max, .average, .unionOfObjects, .unionOfArrays: false
    }
  }
}
