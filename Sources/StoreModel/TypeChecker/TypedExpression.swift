package import StorePredicate

/// An expression with the type that it was found to have, and its place in the text.
package struct TypedExpression: Hashable, Sendable {
  package indirect enum Kind: Hashable, Sendable {
    case constant(Value)
    case selfObject
    case variable(String)
    /// From the row that the base is, or from the members of the collection that it is.
    case keyPath(base: TypedExpression, [KeyPathStep], ResolvedKeyPath)
    /// Behind a value whose type nothing tells: `$SOURCE.title` before SOURCE has a value.
    case untypedKeyPath(base: TypedExpression, [KeyPathStep])
    case list([TypedExpression])
    case arithmetic(ArithmeticOperator, TypedExpression, TypedExpression)
    case negated(TypedExpression)
    case function(Function, [TypedExpression])
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
  /// Of a collection whose members have no places: what takes the order away, by its name.
  package internal(set) var unordered: String?

  init(_ kind: Kind, as type: ValueType, at range: TextRange, unordered: String? = nil) {
    self.kind = kind
    self.type = type
    self.range = range
    self.unordered = unordered
  }

  /// Stands for a part whose mistake is reported, and gives no rise to another: nil fits everything.
  static func mistake(at range: TextRange) -> TypedExpression {
    TypedExpression(.constant(.null), as: .any, at: range)
  }
}

/// What stands in the brackets of `a[…]`.
package enum TypedIndex: Hashable, Sendable {
  case first
  case last
  case size
  case at(TypedExpression)
}

extension TypedExpression {
  /// What it resolves to, when it is a key path.
  package var path: ResolvedKeyPath? {
    if case .keyPath(_, _, let path) = kind { path } else { nil }
  }

  /// The value, when it is a constant.
  package var constant: Value? {
    if case .constant(let value) = kind { value } else { nil }
  }

  /// Constants, or a list of nothing else.
  package var isConstant: Bool {
    switch kind {
    case .constant: true
    case .list(let members): members.allSatisfy(\.isConstant)
    default: false
    }
  }

  /// Its type is for the other side to decide: constants and variables.
  var isOpen: Bool {
    switch kind {
    case .constant, .variable: true
    case .list(let members): members.allSatisfy(\.isOpen)
    default: false
    }
  }

  /// The expressions that it is made of, one level down, those in its conditions among them.
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

  /// Without the types; the constants stay what they have become.
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
  fileprivate var index: Index {
    switch self {
    case .first: .first
    case .last: .last
    case .size: .size
    case .at(let place): .at(place.expression)
    }
  }
}

extension TypedExpression {
  /// The text of a key path from the row; nil for any other expression.
  package var writtenKeyPath: String? {
    guard case .keyPath(let base, _, _) = kind, base.kind == .selfObject else { return nil }
    return expression.format
  }

  /// The collection of objects that it counts: `items.@count`, `SUBQUERY(…).@count`, `items[SIZE]`,
  /// `count(items)`; nil when it counts nothing, or the members of a list.
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

  /// Whether the expression is an aggregate over the rows of the request or of a group: `sum(price)`,
  /// `@sum.price`. `sum(items.price)` and `sum(a, b)` fold values of one row.
  package var isAggregateOfRows: Bool {
    switch kind {
    case .function(let function, let arguments):
      return function.isAggregate && arguments.count == 1 && !arguments[0].type.isCollection
    case .keyPath(let base, let keys, _):
      return base.kind == .selfObject && keys.first?.function != nil
    default: return false
    }
  }

  /// The first aggregate of the rows in it, itself included; nil when there is none.
  package var aggregateOfRows: TypedExpression? {
    isAggregateOfRows ? self : parts.lazy.compactMap(\.aggregateOfRows).first
  }

  /// The name of the aggregate: `sum:`, `@sum`; nil for any other expression.
  package var aggregateName: String? {
    switch kind {
    case .function(let function, _) where function.isAggregate: function.rawValue
    case .keyPath(_, let keys, _): keys.first?.function?.rawValue
    default: nil
    }
  }
}
