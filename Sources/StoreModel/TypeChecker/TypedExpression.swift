package import StorePredicate

/// An expression with its type and its location in the text.
package struct TypedExpression: Hashable, Sendable {
  package indirect enum Kind: Hashable, Sendable {
    case constant(DataValue)
    case selfObject
    case variable(String)
    /// A key path that starts at a row or at the members of a collection.
    case keyPath(base: TypedExpression, [KeyPathStep], ResolvedKeyPath)
    /// A key path after a value of unknown type, such as `$SOURCE.title`, or a key path with an error.
    case untypedKeyPath(base: TypedExpression, [KeyPathStep])
    case list([TypedExpression])
    case arithmetic(ArithmeticOperator, TypedExpression, TypedExpression)
    case negated(TypedExpression)
    case function(FormatFunction, [TypedExpression])
    case method(TextMethod, receiver: TypedExpression, [TypedExpression])
    case cast(TypedExpression, to: CastType)
    case ternary(TypedPredicate, TypedExpression, TypedExpression)
    case subquery(collection: TypedExpression, variable: String, TypedPredicate)
    case set(SetOperator, TypedExpression, TypedExpression)
    case element(TypedExpression, TypedIndex)
  }

  package internal(set) var kind: Kind
  package internal(set) var type: ValueType
  package let range: TextRange
  /// The name of the relationship or operator because of which the members don't have an order.
  package internal(set) var unordered: String?

  init(_ kind: Kind, as type: ValueType, at range: TextRange, unordered: String? = nil) {
    self.kind = kind
    self.type = type
    self.range = range
    self.unordered = unordered
  }

  /// Returns a replacement for an expression whose error is already reported. Its type is comparable with all types, so
  /// it doesn't cause another error.
  static func mistake(at range: TextRange) -> TypedExpression {
    TypedExpression(.constant(.null), as: .any, at: range)
  }
}

/// The index in the brackets of `a[…]`.
package enum TypedIndex: Hashable, Sendable {
  case first
  case last
  case size
  case at(TypedExpression)
}

extension TypedExpression {
  /// The resolved key path, or nil for any other expression.
  package var path: ResolvedKeyPath? {
    if case .keyPath(_, _, let path) = kind { path } else { nil }
  }

  /// The value of a constant, or nil for any other expression.
  package var constant: DataValue? {
    if case .constant(let value) = kind { value } else { nil }
  }

  package var isList: Bool {
    if case .list = kind { true } else { false }
  }

  package var isVariable: Bool {
    if case .variable = kind { true } else { false }
  }

  /// Whether the expression is a constant or a list of constants.
  package var isConstant: Bool {
    switch kind {
    case .constant: true
    case .list(let members): members.allSatisfy(\.isConstant)
    default: false
    }
  }

  /// Whether the other side of a comparison determines the type of the expression. This is the case for constants,
  /// variables and lists of them.
  var isOpen: Bool {
    switch kind {
    case .constant, .variable: true
    case .list(let members): members.allSatisfy(\.isOpen)
    default: false
    }
  }

  /// The direct subexpressions, including the compared expressions in conditions.
  package var parts: [TypedExpression] {
    switch kind {
    case .constant, .selfObject, .variable: []
    case .keyPath(let base, _, _), .untypedKeyPath(let base, _): [base]
    case .list(let members): members
    case .arithmetic(_, let left, let right), .set(_, let left, let right): [left, right]
    case .negated(let operand), .cast(let operand, _): [operand]
    case .function(_, let arguments): arguments
    case .method(_, let receiver, let arguments): [receiver] + arguments
    case .ternary(let condition, let first, let second):
      condition.expressions + [first, second]
    case .subquery(let collection, _, let condition): [collection] + condition.expressions
    case .element(let collection, .at(let place)): [collection, place]
    case .element(let collection, _): [collection]
    }
  }

  /// The expression without types. Its constants keep the types to which they were converted.
  package var expression: FormatExpression { FormatExpression(plainKind, range: range) }

  private var plainKind: FormatExpression.Kind {
    switch kind {
    case .constant(let value): .constant(value)
    case .selfObject: .selfObject
    case .variable(let name): .variable(name)
    case .keyPath(let base, let keys, _), .untypedKeyPath(let base, let keys):
      .keyPath(base: base.expression, keys)
    case .list(let members): .list(members.map(\.expression))
    case .arithmetic(let operation, let left, let right):
      .arithmetic(operation, left.expression, right.expression)
    case .negated(let operand): .negated(operand.expression)
    case .function(let function, let arguments): .function(function, arguments.map(\.expression))
    case .method(let method, let receiver, let arguments):
      .method(
        receiver: receiver.expression, selector: method.rawValue,
        arguments: arguments.map(\.expression))
    case .cast(let operand, let target): .cast(operand.expression, to: target)
    case .ternary(let condition, let first, let second):
      .ternary(condition.predicate, first.expression, second.expression)
    case .subquery(let collection, let variable, let condition):
      .subquery(collection: collection.expression, variable: variable, condition.predicate)
    case .set(let operation, let left, let right):
      .set(operation, left.expression, right.expression)
    case .element(let collection, let index): .element(collection.expression, index.index)
    }
  }
}

extension TypedIndex {
  fileprivate var index: FormatIndex {
    switch self {
    case .first: .first
    case .last: .last
    case .size: .size
    case .at(let place): .at(place.expression)
    }
  }
}

extension TypedExpression {
  /// The text of a key path that starts at the row, or nil for any other expression.
  package var writtenKeyPath: String? {
    guard case .keyPath(let base, _, _) = kind, base.kind == .selfObject else { return nil }
    return expression.format
  }

  /// The objects that the expression counts, as in `items.@count`, `SUBQUERY(…).@count`, `items[SIZE]` or
  /// `count(items)`. It is nil for any other expression, and if the members of a list are counted.
  package var countedObjects: TypedExpression? {
    guard let counted, case .collection(of: .object) = counted.type else { return nil }
    if case .list = counted.kind { return nil }
    return counted
  }

  private var counted: TypedExpression? {
    switch kind {
    case .keyPath(let base, let keys, var path):
      guard path.ending == .aggregate(.count, over: nil) else { return nil }
      guard keys.count > 1 else { return base }
      path.ending = .object
      return TypedExpression(
        .keyPath(base: base, keys.dropLast(), path), as: path.type, at: range)
    case .element(let collection, .size): return collection
    case .function(.count, let arguments) where arguments.count == 1: return arguments[0]
    default: return nil
    }
  }

  /// Whether the expression is an aggregate over the rows of the request or of a group, such as `sum(price)` or
  /// `@sum.price`. In contrast, `sum(items.price)` and `sum(a, b)` aggregate values of one row.
  package var isAggregateOfRows: Bool {
    switch kind {
    case .function(let function, let arguments):
      return function.isAggregate && arguments.count == 1 && !arguments[0].type.isCollection
    case .keyPath(let base, let keys, _):
      return base.kind == .selfObject && keys.first?.function != nil
    default: return false
    }
  }

  /// The first aggregate over rows in the expression, which can be the expression itself.
  package var aggregateOfRows: TypedExpression? {
    isAggregateOfRows ? self : parts.lazy.compactMap(\.aggregateOfRows).first
  }

  /// The name of the aggregate, such as `sum:` or `@sum`, or nil for any other expression.
  package var aggregateName: String? {
    switch kind {
    case .function(let function, _) where function.isAggregate: function.rawValue
    case .keyPath(_, let keys, _): keys.first?.function?.rawValue
    default: nil
    }
  }
}
