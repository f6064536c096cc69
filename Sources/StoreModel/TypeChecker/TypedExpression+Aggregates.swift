import StorePredicate

extension TypedExpression {
  /// Whether the expression is an aggregate over the rows of the request or of a group: `sum(price)`,
  /// `@sum.price`. `sum(items.price)` and `sum(a, b)` fold values of one row.
  package var isAggregateOfRows: Bool {
    switch kind {
    case .function(let function, let arguments):
      return function.isAggregate && arguments.count == 1 && !arguments[0].type.isCollection
    case .keyPath(let base, let keys, _):
      guard base.kind == .selfObject, case .collection? = keys.first?.kind else { return false }
      return true
    default: return false
    }
  }

  /// The first aggregate of the rows in it, itself included; nil when there is none.
  package var aggregateOfRows: TypedExpression? {
    if isAggregateOfRows { return self }
    for part in parts {
      if let aggregate = part.aggregateOfRows { return aggregate }
    }
    return nil
  }

  /// The name of the aggregate: `sum:`, `@sum`; nil for any other expression.
  package var aggregateName: String? {
    switch kind {
    case .function(let function, _) where function.isAggregate: return function.rawValue
    case .keyPath(_, let keys, _):
      guard case .collection(let function)? = keys.first?.kind else { return nil }
      return function.rawValue
    default: return nil
    }
  }
}
