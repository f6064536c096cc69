/// An expression of the format language, with its place in the text.
public struct FormatExpression: Hashable, Sendable {
  public indirect enum Kind: Hashable, Sendable {
    case constant(Value)
    /// `SELF`
    case selfObject
    /// `$NAME`
    case variable(String)
    /// `a.b.@count`: the base is `SELF` where none is written.
    case keyPath(base: FormatExpression, [KeyPathStep])
    /// `{a, b, c}`
    case list([FormatExpression])
    case arithmetic(ArithmeticOperator, FormatExpression, FormatExpression)
    /// `-x`; a minus before a number literal is part of the constant.
    case negated(FormatExpression)
    /// `uppercase:(name)`
    case function(Function, [FormatExpression])
    /// `FUNCTION(receiver, 'selector:', …)`
    case method(receiver: FormatExpression, selector: String, arguments: [FormatExpression])
    case cast(FormatExpression, to: CastType)
    case ternary(FormatPredicate, FormatExpression, FormatExpression)
    /// `SUBQUERY(collection, $variable, predicate)`
    case subquery(collection: FormatExpression, variable: String, FormatPredicate)
    /// `a UNION b`
    case set(SetOperator, FormatExpression, FormatExpression)
    /// `a[FIRST]`
    case element(FormatExpression, Index)
  }

  public var kind: Kind
  public var range: TextRange

  public init(_ kind: Kind, range: TextRange = .none) {
    self.kind = kind
    self.range = range
  }
}

/// `+ - * / **` and the infix bit operators.
public enum ArithmeticOperator: String, Hashable, Sendable, CaseIterable {
  case add = "+"
  case subtract = "-"
  case multiply = "*"
  case divide = "/"
  case power = "**"
  case bitwiseAnd = "&"
  case bitwiseOr = "|"
  case bitwiseXor = "^"
  case shiftLeft = "<<"
  case shiftRight = ">>"
}

public enum SetOperator: String, Hashable, Sendable, CaseIterable {
  case union = "UNION"
  case intersect = "INTERSECT"
  case minus = "MINUS"
}

/// What stands in the brackets of `a[…]`.
public enum Index: Hashable, Sendable {
  case first
  case last
  case size
  case at(FormatExpression)
}

/// The second argument of `CAST`.
public enum CastType: String, Hashable, Sendable, CaseIterable {
  case date = "NSDate"
  case number = "NSNumber"
  case string = "NSString"
  case decimal = "NSDecimalNumber"
  case uuid = "NSUUID"
  case data = "NSData"
  case url = "NSURL"
}

extension FormatExpression {
  /// `a.b` of the row itself, for code that builds predicates.
  public static func keyPath(_ keys: String...) -> FormatExpression { keyPath(keys) }

  public static func keyPath(_ keys: [String]) -> FormatExpression {
    FormatExpression(
      .keyPath(base: FormatExpression(.selfObject), keys.map { KeyPathStep(.key($0)) }))
  }

  public static func value(_ value: Value) -> FormatExpression {
    FormatExpression(.constant(value))
  }

  /// The spelling in which derivations are checked and computed: `items.@count` for `count:(items)`, `items.@sum.price`
  /// for `items.price.@sum` and `sum:(items.price)`.
  ///
  /// Apple's derivations have the operator at the end (docs/formats/model-xml.md). Predicates have it in front of what it
  /// folds.
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

  /// The place of a collection operator that isn't the last part: `items.@sum.price`.
  package var foldInTheMiddle: TextRange? {
    guard case .keyPath(_, let steps) = kind else { return nil }
    return steps.dropLast().first { $0.function != nil }?.range
  }

  /// `items.price.@sum`, not `items.@count`.
  private static func endsWithFold(_ steps: [KeyPathStep]) -> Bool {
    guard steps.count > 2, let last = steps.last?.function else { return false }
    return last != .count && steps.dropLast().allSatisfy { $0.key != nil }
  }
}

/// One step of a key path: a property, or a collection operator.
public struct KeyPathStep: Hashable, Sendable {
  public enum Kind: Hashable, Sendable {
    case key(String)
    /// `@count`, `@sum` …: works on the collection to its left, or on the path to its right.
    case collection(CollectionOperator)
  }

  public var kind: Kind
  public var range: TextRange

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

  /// As it is written in a predicate, where a key may need escapes.
  var spelling: String {
    switch kind {
    case .key(let name): FormatName.key(name)
    case .collection(let function): function.rawValue
    }
  }
}

public enum CollectionOperator: String, Hashable, Sendable, CaseIterable {
  case count = "@count"
  case sum = "@sum"
  case min = "@min"
  case max = "@max"
  case average = "@avg"
  case distinctUnionOfObjects = "@distinctUnionOfObjects"
  case unionOfObjects = "@unionOfObjects"
  case distinctUnionOfArrays = "@distinctUnionOfArrays"
  case unionOfArrays = "@unionOfArrays"
  case distinctUnionOfSets = "@distinctUnionOfSets"

  /// Its result is many values.
  package var makesCollection: Bool {
    switch self {
    case .count, .sum, .min, .max, .average: false
    case .distinctUnionOfObjects, .unionOfObjects, .distinctUnionOfArrays, .unionOfArrays,
      .distinctUnionOfSets:
      true
    }
  }

  /// Each of its values is there once, in no order.
  package var isDistinct: Bool {
    switch self {
    case .distinctUnionOfObjects, .distinctUnionOfArrays, .distinctUnionOfSets: true
    case .count, .sum, .min, .max, .average, .unionOfObjects, .unionOfArrays: false
    }
  }
}
