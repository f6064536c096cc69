import StorePredicate

extension Checking {
  mutating func check(_ comparison: Comparison) -> Comparison {
    var left = check(comparison.left)
    var right = check(comparison.right)
    if comparison.modifier != .direct {
      if left.type == .attribute(.transformable) { reportOpaque(left) }
      left.type = left.type.element
    }
    switch comparison.operator {
    case .equal, .notEqual:
      // Two collections are equal when they have the same members.
      if !left.type.isCollection || !right.type.isCollection { expectSingle(&left, &right) }
      unify(&left, &right)
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      expectSingle(&left, &right)
      unify(&left, &right)
      expectOrdered(left, comparison.operator)
    case .between: checkBounds(&left, &right)
    case .in: checkMembership(of: &left, in: &right)
    case .contains: checkContent(of: &left, &right)
    case .beginsWith, .endsWith, .like, .matches:
      expectSingle(&left, &right)
      expectText(&left, by: comparison.operator.rawValue)
      expectText(&right, by: comparison.operator.rawValue)
      if comparison.operator == .matches { expectPattern(right, comparison.options) }
    }
    var checked = comparison
    checked.left = left.expression
    checked.right = right.expression
    return checked
  }

  /// Gives both sides one type, or reports that they have none in common.
  mutating func unify(_ left: inout Typed, _ right: inout Typed) {
    let rightKnowsMore = !right.isOpen || (left.type == .any && right.type != .any)
    if left.isOpen && rightKnowsMore {
      left = convert(left, to: right.type)
    } else {
      right = convert(right, to: left.type)
    }
  }

  /// Its constants take their type from the other side, also beside members that have one.
  private func isList(_ typed: Typed) -> Bool {
    if case .list = typed.expression.kind { true } else { false }
  }

  private func isVariable(_ typed: Typed) -> Bool {
    if case .variable = typed.expression.kind { true } else { false }
  }

  /// Each side must be one value: a to-many key path needs ANY or ALL.
  private mutating func expectSingle(_ left: inout Typed, _ right: inout Typed) {
    reportCollection(&left)
    reportCollection(&right)
  }

  private mutating func reportCollection(_ side: inout Typed) {
    guard side.type.isCollection else { return }
    side.type = .any
    if let step = side.path?.steps.first(where: \.isToMany) {
      report(.toManyWithoutModifier(relationship: step.relationship), at: side.expression.range)
    } else {
      report(
        .unexpected(.collection(of: .any), expected: "one value", by: "the comparison"),
        at: side.expression.range)
    }
  }

  private mutating func expectOrdered(_ side: Typed, _ comparison: Comparison.Operator) {
    guard !side.type.isOrdered else { return }
    report(.notOrdered(side.type, operator: comparison), at: side.expression.range)
  }

  mutating func expectText(_ side: inout Typed, by operation: String) {
    if side.isOpen, side.type.family != .text {
      side = convert(side, to: .attribute(.string))
      return
    }
    if side.type == .attribute(.transformable) { return reportOpaque(side) }
    guard side.type.family != .text, side.type.family != .any else { return }
    report(.unexpected(side.type, expected: "text", by: operation), at: side.expression.range)
  }

  /// The pattern of MATCHES, where it is known already.
  private mutating func expectPattern(_ side: Typed, _ options: Comparison.Options) {
    guard case .constant(.string(let pattern)) = side.expression.kind else { return }
    do throws(TextMatcher.InvalidPattern) {
      _ = try TextMatcher(.matches, pattern, options: options)
    } catch {
      report(.invalidPattern(error.pattern), at: side.expression.range)
    }
  }

  /// BETWEEN {lower, upper}
  private mutating func checkBounds(_ left: inout Typed, _ right: inout Typed) {
    reportCollection(&left)
    expectOrdered(left, .between)
    switch right.expression.kind {
    case .list(let bounds) where bounds.count == 2:
      var typed = bounds.map { check($0) }
      if left.isOpen, let known = typed.first(where: { !$0.isOpen }) {
        left = convert(left, to: known.type)
      }
      for index in typed.indices { typed[index] = convert(typed[index], to: left.type) }
      right.expression.kind = .list(typed.map(\.expression))
    case .list(let bounds): report(.needsTwoBounds(found: bounds.count), at: right.expression.range)
    case .variable: right = convert(right, to: .collection(of: left.type))
    default: report(.needsTwoBounds(found: nil), at: right.expression.range)
    }
  }

  /// `x IN {…}`, `x IN tags.name`, `'a' IN name`
  private mutating func checkMembership(of left: inout Typed, in right: inout Typed) {
    if left.type.isCollection { reportCollection(&left) }
    switch right.type {
    case .collection(let member):
      if right.isOpen || isList(right) {
        if left.isOpen { left = convert(left, to: member) }
        right = convert(right, to: .collection(of: left.type))
      } else if left.isOpen {
        left = convert(left, to: member)
      } else if !areComparable(left.type, member) {
        report(.mismatch(left.type, member), at: right.expression.range)
      }
    case .any where isVariable(right): right = convert(right, to: .collection(of: left.type))
    case .any: break
    case .attribute, .object, .entity:
      if right.type == .attribute(.transformable) { return reportOpaque(right) }
      guard right.type.family == .text else {
        report(.needsCollection(right.type, operator: "IN"), at: right.expression.range)
        return
      }
      expectText(&left, by: "IN")
    }
  }

  /// `name CONTAINS 'a'`, `tags CONTAINS $tag`, `{1, 2} CONTAINS number`
  private mutating func checkContent(of left: inout Typed, _ right: inout Typed) {
    guard case .collection(let member) = left.type else {
      if isVariable(left), case .object = right.type {
        left = convert(left, to: .collection(of: right.type))
        return
      }
      reportCollection(&right)
      expectText(&left, by: "CONTAINS")
      expectText(&right, by: "CONTAINS")
      return
    }
    // Core Data refuses `tags.name CONTAINS 'x'`: it could mean either of two things.
    if member.family != .object, left.path != nil {
      reportCollection(&left)
      return
    }
    reportCollection(&right)
    if left.isOpen, !right.isOpen {
      left = convert(left, to: .collection(of: right.type))
    } else {
      right = convert(right, to: member)
    }
  }
}
