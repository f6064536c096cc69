import StorePredicate

// Reduces a predicate to the smallest one for which two results still differ.

extension FormatPredicate {
  /// Returns the smallest predicate for which `isWrong` holds, by removing parts.
  func reduced(while isWrong: (FormatPredicate) -> Bool) -> FormatPredicate {
    var smallest = self
    while let next = smallest.reductions.first(where: isWrong) { smallest = next }
    return smallest
  }

  /// The predicates with one part less than this one.
  private var reductions: [FormatPredicate] {
    switch self {
    case .constant: []
    case .not(let negated): [negated] + negated.reductions.map { .not($0) }
    case .and(let members): members + Self.reductions(of: members).map { .and($0) }
    case .or(let members): members + Self.reductions(of: members).map { .or($0) }
    case .comparison(let comparison): comparison.reductions.map { .comparison($0) }
    }
  }

  fileprivate var parts: [FormatPredicate] { [.constant(true)] + reductions }

  private static func reductions(of members: [FormatPredicate]) -> [[FormatPredicate]] {
    let shorter = members.count > 2 ? members.indices.map { members.removing(at: $0) } : []
    return shorter
      + members.indices.flatMap { index in
        members[index].reductions.map { members.replacing(at: index, by: $0) }
      }
  }
}

extension FormatComparison {
  fileprivate var reductions: [FormatComparison] {
    var found: [FormatComparison] = []
    func add(_ change: (inout FormatComparison) -> Void) {
      var changed = self
      change(&changed)
      found.append(changed)
    }
    if !options.isEmpty { add { $0.options = [] } }
    for smaller in left.reductions { add { $0.left = smaller } }
    for smaller in right.reductions { add { $0.right = smaller } }
    return found
  }
}

extension FormatExpression {
  fileprivate var reductions: [FormatExpression] {
    func rebuilt(_ parts: [FormatExpression], _ build: ([FormatExpression]) -> Kind)
      -> [FormatExpression]
    {
      parts.indices.flatMap { index in
        parts[index].reductions.map { FormatExpression(build(parts.replacing(at: index, by: $0))) }
      }
    }
    switch kind {
    case .constant, .selfObject, .variable: return []
    case .keyPath(let base, let steps):
      return rebuilt([base]) { parts in
        guard case .keyPath(let base, let first) = parts[0].kind else {
          return .keyPath(base: parts[0], steps)
        }
        return .keyPath(base: base, first + steps)
      }
    case .list(let members):
      let shorter = members.indices.map { FormatExpression(.list(members.removing(at: $0))) }
      return shorter + rebuilt(members) { .list($0) }
    case .arithmetic(let operation, let left, let right):
      return [left, right] + rebuilt([left, right]) { .arithmetic(operation, $0[0], $0[1]) }
    case .set(let operation, let left, let right):
      return [left, right] + rebuilt([left, right]) { .set(operation, $0[0], $0[1]) }
    case .negated(let operand): return [operand] + rebuilt([operand]) { .negated($0[0]) }
    case .function(let function, let arguments):
      return arguments + rebuilt(arguments) { .function(function, $0) }
    case .method(let receiver, let selector, let arguments):
      return [receiver]
        + rebuilt([receiver] + arguments) {
          .method(receiver: $0[0], selector: selector, arguments: Array($0[1...]))
        }
    case .cast(let operand, let type):
      return [operand] + rebuilt([operand]) { .cast($0[0], to: type) }
    case .ternary(let condition, let first, let second):
      return [first, second]
        + condition.parts.map { FormatExpression(.ternary($0, first, second)) }
        + rebuilt([first, second]) { .ternary(condition, $0[0], $0[1]) }
    case .subquery(let collection, let variable, let condition):
      let smaller = condition == .constant(true) ? [] : condition.parts
      return [collection]
        + smaller.map {
          FormatExpression(.subquery(collection: collection, variable: variable, $0))
        }
        + rebuilt([collection]) {
          .subquery(collection: $0[0], variable: variable, condition)
        }
    case .element(let collection, let index):
      return rebuilt([collection]) { .element($0[0], index) }
    }
  }
}

extension Array {
  fileprivate func removing(at index: Int) -> [Element] {
    var copy = self
    copy.remove(at: index)
    return copy
  }

  fileprivate func replacing(at index: Int, by element: Element) -> [Element] {
    var copy = self
    copy[index] = element
    return copy
  }
}
