package import StoreModel
package import StorePredicate

/// The selected values of a request. The filter of groups (HAVING) and the sort keys can refer to them: `total` refers
/// to `sum(price) AS total`, and so does the variable `$total`, as in Core Data.
package struct SelectedColumns {
  private let values: [SelectedValue]

  package init(_ values: [SelectedValue]) {
    self.values = values
  }

  init(_ result: StoreFetchRequest.Result) {
    values = if case .values(let values) = result { values } else { [] }
  }

  /// Returns a copy of `predicate` in which the selected values replace their names and variables.
  ///
  /// Inside an aggregate or a SUBQUERY, only variables are replaced. A name without `$` is a property there.
  ///
  /// - Throws: `CheckErrors` for a variable that isn't the name of a selected value.
  package func resolve(
    _ predicate: FormatPredicate, in text: PredicateText?
  ) throws(CheckErrors) -> FormatPredicate {
    try refuse(predicate.firstUses.map { ($0.name, $0.range) }, in: text)
    return predicate.rewriting { part in
      switch part.kind {
      case .function(let function, _) where function.isAggregate:
        return part.substituting(bindings(at: part.range))
      case .subquery: return part.substituting(bindings(at: part.range))
      case .variable(let name): return value(named: name, at: part.range)
      default: return part.ownKey.flatMap { value(named: $0, at: part.range) }
      }
    }
  }

  /// Returns a copy of a sort key in which the selected values replace their variables.
  ///
  /// - Throws: `CheckErrors` for a variable that isn't the name of a selected value, if the request selects values.
  func resolveVariables(
    of expression: FormatExpression, in text: PredicateText?
  ) throws(CheckErrors) -> FormatExpression {
    if !values.isEmpty {
      try refuse(expression.variables.map { ($0, expression.range) }, in: text)
    }
    return expression.substituting(bindings(at: expression.range))
  }

  private func refuse(
    _ variables: [(name: String, range: TextRange)], in text: PredicateText?
  ) throws(CheckErrors) {
    let names = values.map(\.name)
    let unknown = variables.filter { !names.contains($0.name) }
    guard !unknown.isEmpty else { return }
    // The message doesn't list a name such as `sum(price)`, which can't be written as a variable.
    let known = names.filter { name in
      name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
    }
    throw CheckErrors(
      unknown.map { CheckError(.unknownColumn($0.name, known: known), at: $0.range) }, in: text)
  }

  private func bindings(at range: TextRange) -> [String: FormatExpression] {
    Dictionary(values.map { ($0.name, $0.expression.placed(at: range)) }) { first, _ in first }
  }

  private func value(named name: String, at range: TextRange) -> FormatExpression? {
    values.first { $0.name == name }?.expression.placed(at: range)
  }
}
