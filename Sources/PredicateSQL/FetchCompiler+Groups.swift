import StoreModel
package import StorePredicate

extension FetchCompiler {
  /// The expression holds an aggregate over the rows: `sum(price)`, `max(price) - 1`.
  package func folds(_ expression: Expression) -> Bool {
    isAggregate(expression) || expression.parts.contains { folds($0) }
  }

  private func isAggregate(_ expression: Expression) -> Bool {
    switch expression.kind {
    case .function(let function, let arguments):
      guard arguments.count == 1, !compiler.isCollection(arguments[0]) else { return false }
      return [.sum, .min, .max, .average, .count].contains(function)
    case .keyPath(let base, let keys):
      if base.kind == .selfObject, case .collection? = keys.first?.kind { return true }
      return false
    default: return false
    }
  }

  /// In a group only what is the same for all of its rows has one value: its keys, what follows from
  /// them, and aggregates.
  func requireGrouped(_ expression: Expression, named name: String) throws(CheckError) {
    guard !hasOneValue(expression) else { return }
    throw CheckError(.notGrouped(name), at: expression.range)
  }

  func requireGrouped(_ predicate: Predicate) throws(CheckError) {
    switch predicate {
    case .constant: return
    case .not(let negated): try requireGrouped(negated)
    case .and(let members), .or(let members):
      for member in members { try requireGrouped(member) }
    case .comparison(let comparison):
      for side in [comparison.left, comparison.right] where !hasOneValue(side) {
        throw CheckError(.notGrouped(side.name ?? "this"), at: side.range)
      }
    }
  }

  private func hasOneValue(_ expression: Expression) -> Bool {
    if isAggregate(expression) { return true }
    if request.groupBy.contains(where: { expression == $0 || expression.follows(from: $0) }) {
      return true
    }
    switch expression.kind {
    case .keyPath, .selfObject, .variable, .subquery: return false
    case .constant: return true
    case .list, .arithmetic, .negated, .function, .method, .cast, .ternary, .set, .element:
      return expression.parts.allSatisfy { hasOneValue($0) }
    }
  }
}

extension Expression {
  /// `list.title` follows from `list`.
  fileprivate func follows(from key: Expression) -> Bool {
    guard case .keyPath(let base, let keys) = kind,
      case .keyPath(let groupBase, let groupKeys) = key.kind, base == groupBase
    else { return false }
    return keys.starts(with: groupKeys)
  }

  /// A key path as it is written.
  fileprivate var name: String? {
    guard case .keyPath(_, let keys) = kind else { return nil }
    return keys.map { key in
      switch key.kind {
      case .key(let name): name
      case .collection(let function): function.rawValue
      }
    }.joined(separator: ".")
  }

  /// The expressions that it is made of, one level down.
  fileprivate var parts: [Expression] {
    switch kind {
    case .constant, .selfObject, .variable, .keyPath, .subquery: []
    case .list(let members): members
    case .arithmetic(_, let left, let right), .set(_, let left, let right): [left, right]
    case .negated(let operand), .cast(let operand, _): [operand]
    case .function(_, let arguments): arguments
    case .method(let receiver, _, let arguments): [receiver] + arguments
    case .ternary(_, let first, let second): [first, second]
    case .element(let collection, .at(let position)): [collection, position]
    case .element(let collection, _): [collection]
    }
  }
}
