package import StorePredicate

/// A predicate that was checked against a model. It contains the type of each expression and the resolved key paths, so
/// that it can be translated without the model. Its expressions can't be created outside this module.
package indirect enum TypedPredicate: Hashable, Sendable {
  case constant(Bool)
  case comparison(TypedComparison)
  case and([TypedPredicate])
  case or([TypedPredicate])
  case not(TypedPredicate)
}

/// A comparison of two comparable expressions. A constant has the type of the expression with which it is compared.
package struct TypedComparison: Hashable, Sendable {
  package var modifier: FormatComparison.Modifier
  package var left: TypedExpression
  package var `operator`: FormatComparison.Operator
  package var options: FormatComparison.Options
  package var right: TypedExpression
  var operatorRange: TextRange
}

extension TypedPredicate {
  /// The predicate without types. Its constants keep the types to which they were converted.
  package var predicate: FormatPredicate {
    switch self {
    case .constant(let isTrue): .constant(isTrue)
    case .comparison(let comparison): .comparison(comparison.comparison)
    case .and(let members): .and(members.map(\.predicate))
    case .or(let members): .or(members.map(\.predicate))
    case .not(let negated): .not(negated.predicate)
    }
  }

  /// The left and right expressions of all comparisons, in the order of the text.
  package var expressions: [TypedExpression] {
    switch self {
    case .constant: []
    case .comparison(let comparison): [comparison.left, comparison.right]
    case .and(let members), .or(let members): members.flatMap(\.expressions)
    case .not(let negated): negated.expressions
    }
  }

  /// Returns the conjunction of both predicates, or the second predicate if the first is nil.
  package static func conjunction(
    _ first: TypedPredicate?, _ second: TypedPredicate
  ) -> TypedPredicate {
    first.map { .and([$0, second]) } ?? second
  }

  /// A predicate that is true if this one is false or unknown. In contrast, NOT is unknown if its operand is unknown.
  package var isNotTrue: TypedPredicate {
    let truth = TypedExpression(
      .ternary(self, .integer(1), .integer(0)), as: .attribute(.integer64), at: .none,
      unordered: "TERNARY")
    return .comparison(
      TypedComparison(
        modifier: .direct, left: truth, operator: .equal, options: [], right: .integer(0),
        operatorRange: .none))
  }
}

extension TypedExpression {
  fileprivate static func integer(_ value: Int64) -> TypedExpression {
    TypedExpression(.constant(.integer(value)), as: .attribute(.integer64), at: .none)
  }
}

extension TypedComparison {
  fileprivate var comparison: FormatComparison {
    FormatComparison(
      left.expression, self.operator, right.expression, modifier: modifier, options: options,
      operatorRange: operatorRange)
  }
}
