// One walk over both trees serves substitution, looking for variables, and the compiler's own passes.

extension FormatPredicate {
  /// A copy in which expressions are replaced.
  ///
  /// `replacement` sees every expression before its parts. What it returns stands as it is; nil goes
  /// on into the parts.
  public func rewriting<Failure: Error>(
    _ replacement: (FormatExpression) throws(Failure) -> FormatExpression?
  ) throws(Failure) -> FormatPredicate {
    switch self {
    case .constant: return self
    case .comparison(var comparison):
      comparison.left = try comparison.left.rewriting(replacement)
      comparison.right = try comparison.right.rewriting(replacement)
      return .comparison(comparison)
    case .and(let members):
      return .and(try members.map { member throws(Failure) in try member.rewriting(replacement) })
    case .or(let members):
      return .or(try members.map { member throws(Failure) in try member.rewriting(replacement) })
    case .not(let negated): return .not(try negated.rewriting(replacement))
    }
  }
}

extension FormatExpression {
  /// A copy in which expressions are replaced, this one first; as `FormatPredicate.rewriting`.
  public func rewriting<Failure: Error>(
    _ replacement: (FormatExpression) throws(Failure) -> FormatExpression?
  ) throws(Failure) -> FormatExpression {
    if let replaced = try replacement(self) { return replaced }
    return FormatExpression(try rewritingParts(replacement), range: range)
  }

  /// A copy whose parts all have `range` as their place, for use in another text.
  package func placed(at range: TextRange) -> FormatExpression {
    var isWhole = true
    var copy = rewriting { part in
      guard isWhole else { return part.placed(at: range) }
      isWhole = false
      return nil
    }
    copy.range = range
    return copy
  }

  private func rewritingParts<Failure: Error>(
    _ replacement: (FormatExpression) throws(Failure) -> FormatExpression?
  ) throws(Failure) -> Kind {
    func rewrite(_ part: FormatExpression) throws(Failure) -> FormatExpression {
      try part.rewriting(replacement)
    }
    switch kind {
    case .constant, .selfObject, .variable: return kind
    case .keyPath(let base, let steps): return .keyPath(base: try rewrite(base), steps)
    case .list(let members): return .list(try members.map(rewrite))
    case .arithmetic(let symbol, let left, let right):
      return .arithmetic(symbol, try rewrite(left), try rewrite(right))
    case .set(let word, let left, let right):
      return .set(word, try rewrite(left), try rewrite(right))
    case .negated(let operand): return .negated(try rewrite(operand))
    case .function(let function, let arguments):
      return .function(function, try arguments.map(rewrite))
    case .method(let receiver, let selector, let arguments):
      return .method(
        receiver: try rewrite(receiver), selector: selector, arguments: try arguments.map(rewrite))
    case .cast(let value, let type): return .cast(try rewrite(value), to: type)
    case .ternary(let condition, let whenTrue, let whenFalse):
      return .ternary(
        try condition.rewriting(replacement), try rewrite(whenTrue), try rewrite(whenFalse))
    case .subquery(let collection, let variable, let condition):
      return .subquery(
        collection: try rewrite(collection), variable: variable,
        try condition.rewriting(replacement))
    case .element(let collection, .at(let position)):
      return .element(try rewrite(collection), .at(try rewrite(position)))
    case .element(let collection, let index): return .element(try rewrite(collection), index)
    }
  }
}
