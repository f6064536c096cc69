package import StorePredicate

extension PredicateChecker {
  /// Checks which rows a partial index is about: every name exists, and nothing has a value only when it is asked for.
  ///
  /// - Parameter text: what the predicate was parsed from, for the places in the errors.
  package func check(
    indexCondition predicate: FormatPredicate, in text: PredicateText? = nil
  ) throws(CheckErrors) {
    var checker = TypeChecker(self)
    _ = checker.check(predicate)
    checker.refuseVariables(at: TextRange(0..<(text?.text.utf8.count ?? 0)))
    try checker.finish(in: text)
  }

  /// The same for the expression that an index is over.
  package func check(
    indexed expression: FormatExpression, in text: PredicateText? = nil
  ) throws(CheckErrors) {
    var checker = TypeChecker(self)
    _ = checker.check(expression)
    checker.refuseVariables(at: expression.range)
    try checker.finish(in: text)
  }
}

extension TypeChecker {
  fileprivate mutating func refuseVariables(at range: TextRange) {
    for variable in variables { report(.unboundVariable(variable.name), at: range) }
  }
}
