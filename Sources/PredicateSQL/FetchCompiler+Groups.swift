package import StoreModel
import StorePredicate

extension FetchCompiler {
  /// The expression holds an aggregate over the rows: `sum(price)`, `max(price) - 1`.
  package func folds(_ expression: TypedExpression) -> Bool {
    isAggregate(expression) || expression.values.contains { folds($0) }
  }

  private func isAggregate(_ expression: TypedExpression) -> Bool {
    switch expression.kind {
    case .function(let function, let arguments):
      guard arguments.count == 1, !arguments[0].type.isCollection else { return false }
      return [.sum, .min, .max, .average, .count].contains(function)
    case .keyPath(let base, let keys, _):
      if base.kind == .selfObject, case .collection? = keys.first?.kind { return true }
      return false
    default: return false
    }
  }

  /// In a group only what is the same for all of its rows has one value: its keys, what follows from
  /// them, and aggregates.
  func requireGrouped(_ expression: TypedExpression, named name: String) throws(CheckError) {
    guard !hasOneValue(expression) else { return }
    throw CheckError(.notGrouped(name), at: expression.range)
  }

  func requireGrouped(_ predicate: TypedPredicate) throws(CheckError) {
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

  private func hasOneValue(_ expression: TypedExpression) -> Bool {
    if isAggregate(expression) { return true }
    if request.groupBy.contains(where: { expression == $0 || expression.follows(from: $0) }) {
      return true
    }
    switch expression.kind {
    case .keyPath, .untypedKeyPath, .selfObject, .variable, .subquery: return false
    case .constant: return true
    case .list, .arithmetic, .negated, .function, .method, .cast, .ternary, .set, .element:
      return expression.values.allSatisfy { hasOneValue($0) }
    }
  }
}

extension TypedExpression {
  /// `list.title` follows from `list`.
  fileprivate func follows(from key: TypedExpression) -> Bool {
    guard case .keyPath(let base, let keys, _) = kind,
      case .keyPath(let groupBase, let groupKeys, _) = key.kind, base == groupBase
    else { return false }
    return keys.starts(with: groupKeys)
  }

  /// A key path as it is written.
  fileprivate var name: String? {
    guard case .keyPath(_, let keys, _) = kind else { return nil }
    return keys.map { key in
      switch key.kind {
      case .key(let name): name
      case .collection(let function): function.rawValue
      }
    }.joined(separator: ".")
  }

  /// The expressions that its value is computed from, one level down.
  fileprivate var values: [TypedExpression] {
    switch kind {
    case .keyPath, .untypedKeyPath, .subquery: []
    case .ternary(_, let first, let second): [first, second]
    default: parts
    }
  }
}
