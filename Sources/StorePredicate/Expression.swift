/// An expression of the format language, with its place in the text.
public struct Expression: Hashable, Sendable {
  public indirect enum Kind: Hashable, Sendable {
    case constant(Value)
    /// `SELF`
    case selfObject
    /// `$NAME`
    case variable(String)
    /// `a.b.@count`: the base is `SELF` where none is written.
    case keyPath(base: Expression, [KeyPathStep])
    /// `{a, b, c}`
    case list([Expression])
    case arithmetic(ArithmeticOperator, Expression, Expression)
    /// `-x`; a minus before a number literal is part of the constant.
    case negated(Expression)
    /// `uppercase:(name)`
    case function(Function, [Expression])
    /// `FUNCTION(receiver, 'selector:', …)`
    case method(receiver: Expression, selector: String, arguments: [Expression])
    case cast(Expression, to: CastType)
    case ternary(Predicate, Expression, Expression)
    /// `SUBQUERY(collection, $variable, predicate)`
    case subquery(collection: Expression, variable: String, Predicate)
    /// `a UNION b`
    case set(SetOperator, Expression, Expression)
    /// `a[FIRST]`
    case element(Expression, Index)
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
  case at(Expression)
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

extension Expression {
  /// `a.b` of the row itself, for code that builds predicates.
  public static func keyPath(_ keys: String...) -> Expression { keyPath(keys) }

  public static func keyPath(_ keys: [String]) -> Expression {
    Expression(.keyPath(base: Expression(.selfObject), keys.map { KeyPathStep(.key($0)) }))
  }

  public static func value(_ value: Value) -> Expression { Expression(.constant(value)) }
}
