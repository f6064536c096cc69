package import StoreModel
import StorePredicate

extension FetchCompiler {
  /// The expression contains an aggregate of the rows: `sum(price)`, `max(price) - 1`.
  package func folds(_ expression: TypedExpression) -> Bool {
    expression.aggregateOfRows != nil
  }

  /// In a group only what is the same for all of its rows has one value: its keys, what follows from
  /// them, and aggregates.
  func requireGrouped(_ expression: TypedExpression, named name: String) throws(CheckError) {
    guard !hasOneValue(expression) else { return }
    throw CheckError(.notGrouped(name, keyPath: expression.writtenKeyPath), at: expression.range)
  }

  func requireGrouped(_ predicate: TypedPredicate) throws(CheckError) {
    switch predicate {
    case .constant: return
    case .not(let negated): try requireGrouped(negated)
    case .and(let members), .or(let members):
      for member in members { try requireGrouped(member) }
    case .comparison(let comparison):
      for side in [comparison.left, comparison.right] where !hasOneValue(side) {
        throw CheckError(
          .notGrouped(side.expression.format, keyPath: side.writtenKeyPath), at: side.range)
      }
    }
  }

  private func hasOneValue(_ expression: TypedExpression) -> Bool {
    if expression.isAggregateOfRows { return true }
    if request.groupBy.contains(where: { expression == $0 || expression.follows(from: $0) }) {
      return true
    }
    switch expression.kind {
    case .keyPath, .untypedKeyPath, .selfObject, .variable, .subquery: return false
    case .constant: return true
    case .list, .arithmetic, .negated, .function, .method, .cast, .ternary, .set, .element:
      return expression.parts.allSatisfy { hasOneValue($0) }
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
}
