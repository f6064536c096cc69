import StorePredicate

extension TypeChecker {
  mutating func check(_ comparison: FormatComparison) -> TypedComparison {
    var left = check(comparison.left)
    var right = check(comparison.right)
    let members = left.type
    if comparison.modifier != .direct {
      if members == .attribute(.transformable) { reportOpaque(left) }
      // Each member is compared separately.
      left.type = members.element
    }
    switch comparison.operator {
    case .equal, .notEqual:
      // Two collections can be compared, because they are equal if they have the same members.
      if !left.type.isCollection || !right.type.isCollection,
        !reportNil(&left, &right, isEqual: comparison.operator == .equal)
      {
        expectSingle(&left, &right, comparison.operator)
      }
      unify(&left, &right)
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      expectSingle(&left, &right, comparison.operator)
      unify(&left, &right)
      expectOrdered(left, comparison.operator)
    case .between: checkBounds(&left, &right)
    case .in: checkMembership(of: &left, in: &right)
    case .contains: checkContent(of: &left, &right)
    case .beginsWith, .endsWith, .like, .matches:
      expectSingle(&left, &right, comparison.operator)
      expectTexts(&left, &right, by: comparison.operator.rawValue)
      if comparison.operator == .matches { expectPattern(right, comparison.options) }
    }
    if comparison.modifier != .direct, members.isCollection { left.type = members }
    return TypedComparison(
      modifier: comparison.modifier, left: left, operator: comparison.operator,
      options: comparison.options, right: right, operatorRange: comparison.operatorRange)
  }

  /// Converts both operands of a comparison to one type, or reports that they aren't comparable.
  mutating func unify(_ left: inout TypedExpression, _ right: inout TypedExpression) {
    let rightKnowsMore = !right.isOpen || (left.type == .any && right.type != .any)
    if left.isOpen && rightKnowsMore {
      left = convert(left, to: right.type)
    } else {
      right = convert(right, to: left.type)
    }
  }

  /// Reports an operand with several values, because a to-many key path requires ANY or ALL.
  private mutating func expectSingle(
    _ left: inout TypedExpression, _ right: inout TypedExpression,
    _ comparison: FormatComparison.Operator
  ) {
    reportCollection(&left, comparison)
    reportCollection(&right, comparison)
  }

  /// Reports a to-many key path that is compared with nil.
  ///
  /// - Returns: Whether an error was reported.
  private mutating func reportNil(
    _ left: inout TypedExpression, _ right: inout TypedExpression, isEqual: Bool
  ) -> Bool {
    let (side, other) = left.type.isCollection ? (left, right) : (right, left)
    guard other.kind == .constant(.null), side.type.isCollection,
      let step = side.path?.steps.last, step.isToMany, case .object? = side.path?.ending,
      let keyPath = side.writtenKeyPath
    else { return false }
    report(
      .toManyBesideNil(relationship: step.relationship, keyPath: keyPath, isEqual: isEqual),
      at: side.range)
    (left.type, right.type) = (.any, .any)
    return true
  }

  private mutating func reportCollection(
    _ side: inout TypedExpression, _ comparison: FormatComparison.Operator
  ) {
    guard side.type.isCollection else { return }
    side.type = .any
    if let step = side.path?.steps.first(where: \.isToMany) {
      report(.toManyWithoutModifier(relationship: step.relationship), at: side.range)
    } else {
      report(.comparedList(comparison), at: side.range)
    }
  }

  private mutating func expectOrdered(
    _ side: TypedExpression, _ comparison: FormatComparison.Operator
  ) {
    guard !side.type.isOrdered else { return }
    report(.notOrdered(side.type, operator: comparison), at: side.range)
  }

  /// Requires text on both sides. A number on the right is not reported if the left side isn't text either.
  private mutating func expectTexts(
    _ left: inout TypedExpression, _ right: inout TypedExpression, by operation: String
  ) {
    let count = errors.count
    expectText(&left, by: operation)
    if errors.count > count, right.isOpen, right.type.family == .number { return }
    expectText(&right, by: operation)
  }

  mutating func expectText(_ side: inout TypedExpression, by operation: String) {
    // A comparison accepts a number as text, but an operation on text doesn't.
    if side.isOpen, side.type.family == .number {
      report(.mismatch(side.type, .attribute(.string)), at: side.range)
      return
    }
    if side.isOpen, side.type.family != .text {
      side = convert(side, to: .attribute(.string))
      return
    }
    if side.type == .attribute(.transformable) { return reportOpaque(side) }
    guard side.type.family != .text, side.type.family != .any else { return }
    report(.unexpected(side.type, expected: "text", by: operation), at: side.range)
  }

  /// Reports an invalid pattern of MATCHES, if the pattern is a constant.
  private mutating func expectPattern(_ side: TypedExpression, _ options: FormatComparison.Options)
  {
    guard case .constant(.string(let pattern)) = side.kind else { return }
    do throws(TextMatcher.InvalidPattern) {
      _ = try TextMatcher(.matches, pattern, options: options)
    } catch {
      report(.invalidPattern(error.pattern), at: side.range)
    }
  }

  /// Checks `x BETWEEN {lower, upper}`.
  private mutating func checkBounds(_ left: inout TypedExpression, _ right: inout TypedExpression) {
    reportCollection(&left, .between)
    expectOrdered(left, .between)
    switch right.kind {
    case .list(let bounds) where bounds.count == 2:
      if left.isOpen, let known = bounds.first(where: { !$0.isOpen }) {
        left = convert(left, to: known.type)
      }
      right = list(of: bounds, convertedTo: left.type, right)
    case .list(let bounds): report(.needsTwoBounds(found: bounds.count), at: right.range)
    case .variable: right = convert(right, to: .collection(of: left.type))
    default: report(.needsTwoBounds(found: nil), at: right.range)
    }
  }

  /// Checks `x IN {…}`, `x IN tags.name` or `'a' IN name`.
  private mutating func checkMembership(
    of left: inout TypedExpression, in right: inout TypedExpression
  ) {
    if left.type.isCollection { reportCollection(&left, .in) }
    switch right.type {
    case .collection(let member):
      if right.isOpen || right.isList {
        if left.isOpen { left = convert(left, to: member) }
        right = convert(right, to: .collection(of: left.type))
      } else if left.isOpen {
        left = convert(left, to: member)
      } else if !areComparable(left.type, member) {
        report(.mismatch(left.type, member), at: right.range)
      }
    case .any where right.isVariable: right = convert(right, to: .collection(of: left.type))
    case .any: break
    case .attribute, .object, .entity:
      if right.type == .attribute(.transformable) { return reportOpaque(right) }
      guard right.type.family == .text else {
        report(.needsCollection(right.type, operator: "IN"), at: right.range)
        return
      }
      expectText(&left, by: "IN")
    }
  }

  /// Checks `name CONTAINS 'a'`, `tags CONTAINS $tag` or `{1, 2} CONTAINS number`.
  private mutating func checkContent(of left: inout TypedExpression, _ right: inout TypedExpression)
  {
    guard case .collection(let member) = left.type else {
      if left.isVariable, case .object = right.type {
        left = convert(left, to: .collection(of: right.type))
        return
      }
      reportCollection(&right, .contains)
      expectTexts(&left, &right, by: "CONTAINS")
      return
    }
    // Core Data rejects `tags.name CONTAINS 'x'` because it is ambiguous.
    if member.family != .object, left.path != nil {
      reportCollection(&left, .contains)
      return
    }
    reportCollection(&right, .contains)
    if left.isOpen, !right.isOpen {
      left = convert(left, to: .collection(of: right.type))
    } else {
      right = convert(right, to: member)
    }
  }
}
