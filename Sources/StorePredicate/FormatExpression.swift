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
}

extension FormatExpression {
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
    return steps.dropLast().first { step in
      if case .collection = step.kind { true } else { false }
    }?.range
  }

  /// `items.price.@sum`, not `items.@count`.
  private static func endsWithFold(_ steps: [KeyPathStep]) -> Bool {
    guard steps.count > 2, case .collection(let last)? = steps.last?.kind, last != .count else {
      return false
    }
    return steps.dropLast().allSatisfy { step in
      if case .key = step.kind { true } else { false }
    }
  }
}
