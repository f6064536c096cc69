extension PredicateEvaluator {
  var asStored: Bool { nulls == .sql }

  /// The usual result of a comparison with null. `equality` and `order` contain the exceptions.
  var unknown: Truth { nulls == .sql ? .unknown : .no }

  /// Returns the result of a comparison. ANY and ALL compare each member of the collection on the left side. A member
  /// with an unknown result doesn't satisfy the comparison, so the result for a collection is true or false.
  mutating func truth(of comparison: FormatComparison) throws(EvaluationError) -> Truth {
    let left = try quantified(comparison)
    guard comparison.modifier != .direct, let members = quantified(left) else {
      return try compare(left, comparison)
    }
    for member in members {
      let isSatisfied = try compare(member, comparison) == .yes
      if isSatisfied == (comparison.modifier == .any) { return Truth(isSatisfied) }
    }
    return Truth(comparison.modifier == .all)
  }

  /// Returns the value of the left side. With ANY or ALL, a key path includes a null for each missing object.
  private mutating func quantified(
    _ comparison: FormatComparison
  ) throws(EvaluationError) -> EvaluatedValue {
    guard comparison.modifier != .direct, case .keyPath(let base, let steps) = comparison.left.kind
    else { return try value(comparison.left) }
    return try follow(steps[...], from: value(base), hasMissing: true)
  }

  /// Returns the members that ANY or ALL compares. Returns nil for a single value, which is compared as without ANY or
  /// ALL.
  private func quantified(_ value: EvaluatedValue) -> [EvaluatedValue]? {
    // Foundation treats a missing collection as empty.
    if nulls == .memory, value.isNull { return [] }
    return value.members
  }

  /// Compares a left side that is already evaluated.
  private mutating func compare(
    _ left: EvaluatedValue, _ comparison: FormatComparison
  ) throws(EvaluationError) -> Truth {
    let right = try value(comparison.right)
    switch comparison.operator {
    case .equal: return equality(left, right, comparison)
    case .notEqual: return !equality(left, right, comparison)
    case .less: return try order(left, right, comparison) { $0 < 0 }
    case .lessOrEqual: return try order(left, right, comparison) { $0 <= 0 }
    case .greater: return try order(left, right, comparison) { $0 > 0 }
    case .greaterOrEqual: return try order(left, right, comparison) { $0 >= 0 }
    case .between: return try range(left, right, comparison)
    case .in:
      return try membership(
        of: left, in: right, written: comparison.right, comparison.options,
        at: comparison.left.range)
    case .contains where left.members != nil:
      return try membership(
        of: right, in: left, written: comparison.left, comparison.options,
        at: comparison.right.range)
    case .contains, .beginsWith, .endsWith, .like, .matches:
      return try text(left, right, comparison)
    }
  }

  private func equality(
    _ left: EvaluatedValue, _ right: EvaluatedValue, _ comparison: FormatComparison
  ) -> Truth {
    if left.isNull || right.isNull {
      let isAnswerable =
        nulls == .memory || isNil(comparison.left) || isNil(comparison.right)
      return isAnswerable ? Truth(left.isNull && right.isNull) : .unknown
    }
    let folding = TextFolding(comparison.options)
    return Truth(left.equals(right, folding: folding, asStored: asStored))
  }

  /// Returns whether an expression is a literal nil or a variable whose value is null. With such an operand, `==` is
  /// compiled to `IS NULL` in SQL.
  private func isNil(_ expression: FormatExpression) -> Bool {
    switch expression.kind {
    case .constant(.null): true
    case .variable(let name): elements[name] == nil && variables[name]?.isNull == true
    case .constant, .selfObject, .keyPath, .list, .arithmetic, .negated, .function, .method, .cast,
      .ternary, .subquery, .set, .element:
      false
    }
  }

  /// Returns the result of `<`, `<=`, `>` or `>=`. In Foundation, nil is equal to nil, and comparisons between nil and
  /// other values are false.
  func order(
    _ left: EvaluatedValue, _ right: EvaluatedValue, _ comparison: FormatComparison,
    _ isSatisfied: (Int) -> Bool
  ) throws(EvaluationError) -> Truth {
    if left.isNull || right.isNull {
      guard nulls == .memory else { return .unknown }
      return Truth(left.isNull && right.isNull && isSatisfied(0))
    }
    guard case .value(let first) = left, case .value(let second) = right,
      asStored || first.kind == second.kind
    else {
      throw EvaluationError(.incomparable(left.noun, right.noun), at: comparison.range)
    }
    guard let order = first.order(second, folding: TextFolding(comparison.options)) else {
      return unknown
    }
    return Truth(isSatisfied(order))
  }

  /// Returns the result of `BETWEEN {lower, upper}`. Both bounds are included.
  private func range(
    _ left: EvaluatedValue, _ right: EvaluatedValue, _ comparison: FormatComparison
  ) throws(EvaluationError) -> Truth {
    guard let bounds = right.members else {
      guard right.isNull else {
        throw EvaluationError(
          .expectedCollection(found: right.noun), at: comparison.right.range)
      }
      return unknown
    }
    guard bounds.count == 2 else {
      throw EvaluationError(.boundsCount(bounds.count), at: comparison.right.range)
    }
    if nulls == .memory, left.isNull || bounds.contains(where: \.isNull) { return .no }
    let isAbove = try order(left, bounds[0], comparison) { $0 >= 0 }
    let isBelow = try order(left, bounds[1], comparison) { $0 <= 0 }
    return isAbove && isBelow
  }
}

/// The result of a condition. Foundation's logic doesn't have `unknown`.
enum Truth: Hashable, Sendable {
  case no
  case unknown
  case yes

  init(_ isTrue: Bool) {
    self = isTrue ? .yes : .no
  }

  static prefix func ! (truth: Truth) -> Truth {
    switch truth {
    case .no: .yes
    case .unknown: .unknown
    case .yes: .no
    }
  }

  static func && (left: Truth, right: Truth) -> Truth {
    if left == .no || right == .no { return .no }
    return left == .yes && right == .yes ? .yes : .unknown
  }

  static func || (left: Truth, right: Truth) -> Truth { !(!left && !right) }
}
