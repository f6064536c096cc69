extension PredicateEvaluator {
  /// `x IN {…}`, `x IN tags.name`, `'a' IN name`; CONTAINS with its sides exchanged.
  ///
  /// - Parameter expression: the collection as it is written.
  mutating func membership(
    of member: EvaluatedValue, in collection: EvaluatedValue, written expression: FormatExpression,
    _ options: Comparison.Options, at range: TextRange
  ) throws(EvaluationError) -> Truth {
    if case .value(.string(let text)) = collection {
      return try contains(text, member, options, at: range)
    }
    guard let members = collection.members else {
      guard collection.isNull else {
        throw EvaluationError(
          .expectedCollection(found: collection.noun), at: expression.range)
      }
      // The list that nil stands for has no members; a NULL attribute is a text nobody knows.
      return expression.kind == .constant(.null) ? .no : unknown
    }
    if members.isEmpty { return .no }
    let isListed = isListed(expression)
    if member.isNull { return isListed ? unknown : .no }
    let folding = TextFolding(options)
    if members.contains(member, folding: folding, asStored: asStored) { return .yes }
    return isListed && members.contains(where: \.isNull) ? unknown : .no
  }

  /// Whether the members are written one by one. SQL asks whether any row of a collection is equal,
  /// which is true or false; a NULL among listed values makes the answer unknown.
  private func isListed(_ expression: FormatExpression) -> Bool {
    switch expression.kind {
    case .list: true
    case .variable(let name): elements[name] == nil
    case .constant, .selfObject, .keyPath, .arithmetic, .negated, .function, .method, .cast,
      .ternary, .subquery, .set, .element:
      false
    }
  }

  /// The substring test that IN is over a text.
  private mutating func contains(
    _ text: String, _ part: EvaluatedValue, _ options: Comparison.Options, at range: TextRange
  ) throws(EvaluationError) -> Truth {
    if part.isNull { return unknown }
    guard case .value(.string(let part)) = part else {
      throw EvaluationError(.expectedText(found: part.noun), at: range)
    }
    return Truth(try match(text, .contains, part, options, at: range))
  }

  /// CONTAINS, BEGINSWITH, ENDSWITH, LIKE, MATCHES over text.
  mutating func text(
    _ left: EvaluatedValue, _ right: EvaluatedValue, _ comparison: Comparison
  ) throws(EvaluationError) -> Truth {
    if left.isNull || right.isNull { return unknown }
    guard case .value(.string(let text)) = left else {
      throw EvaluationError(.expectedText(found: left.noun), at: comparison.left.range)
    }
    guard case .value(.string(let pattern)) = right else {
      throw EvaluationError(.expectedText(found: right.noun), at: comparison.right.range)
    }
    guard let test = TextMatcher.Test(comparison.operator) else { return .no }
    return Truth(
      try match(text, test, pattern, comparison.options, at: comparison.right.range))
  }

  private mutating func match(
    _ text: String, _ test: TextMatcher.Test, _ pattern: String, _ options: Comparison.Options,
    at range: TextRange
  ) throws(EvaluationError) -> Bool {
    let matcher: TextMatcher
    do throws(TextMatcher.InvalidPattern) {
      matcher = try patterns.matcher(test, pattern, options: options)
    } catch {
      throw EvaluationError(.invalidPattern(error.pattern), at: range)
    }
    do throws(TextMatcher.ExcessiveWork) {
      return try matcher.matches(text)
    } catch {
      throw EvaluationError(.excessivePattern(error.pattern), at: range)
    }
  }
}
