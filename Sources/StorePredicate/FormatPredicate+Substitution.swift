extension FormatPredicate {
  /// The names of the variables that need a value, in order of first appearance, without those that
  /// a SUBQUERY binds.
  public var variables: [String] { firstUses.map(\.name) }

  /// Where each of `variables` appears first.
  public var firstUses: [VariableUse] {
    var search = VariableSearch()
    search.look(in: self, bound: [])
    return search.found
  }

  /// A copy with values, lists or other expressions in the place of variables.
  ///
  /// A variable without a binding stays; `variables` of the result names it. Inside a SUBQUERY its own
  /// variable hides a binding of the same name.
  public func substituting(_ bindings: [String: FormatExpression]) -> FormatPredicate {
    rewriting { $0.replacement(under: bindings) }
  }
}

extension FormatExpression {
  public var variables: [String] {
    var search = VariableSearch()
    search.look(in: self, bound: [])
    return search.found.map(\.name)
  }

  public func substituting(_ bindings: [String: FormatExpression]) -> FormatExpression {
    rewriting { $0.replacement(under: bindings) }
  }

  /// The bound expression for a variable, at the variable's place; a SUBQUERY with what its own
  /// variable leaves to replace; nil for everything else.
  fileprivate func replacement(under bindings: [String: FormatExpression]) -> FormatExpression? {
    switch kind {
    case .variable(let name):
      return bindings[name].map { FormatExpression($0.kind, range: range) }
    case .subquery(let collection, let variable, let condition) where bindings[variable] != nil:
      var inner = bindings
      inner[variable] = nil
      let kind = Kind.subquery(
        collection: collection.substituting(bindings), variable: variable,
        condition.substituting(inner))
      return FormatExpression(kind, range: range)
    default: return nil
    }
  }
}

/// A variable and its place.
public struct VariableUse: Hashable, Sendable {
  public var name: String
  public var range: TextRange
}

private struct VariableSearch {
  var found: [VariableUse] = []

  mutating func look(in predicate: FormatPredicate, bound: Set<String>) {
    _ = predicate.rewriting { visit($0, bound) }
  }

  mutating func look(in expression: FormatExpression, bound: Set<String>) {
    _ = expression.rewriting { visit($0, bound) }
  }

  /// Notes a variable. Never replaces: what it returns has been looked at already.
  private mutating func visit(_ expression: FormatExpression, _ bound: Set<String>)
    -> FormatExpression?
  {
    switch expression.kind {
    case .variable(let name):
      if !bound.contains(name), !found.contains(where: { $0.name == name }) {
        found.append(VariableUse(name: name, range: expression.range))
      }
      return expression
    case .subquery(let collection, let variable, let condition):
      look(in: collection, bound: bound)
      look(in: condition, bound: bound.union([variable]))
      return expression
    default: return nil
    }
  }
}
