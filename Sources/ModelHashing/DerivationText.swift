import StorePredicate

/// A derivation expression as Core Data prints it, which is what the hash is taken of.
enum DerivationText {
  static func text(of expression: Expression) -> String {
    guard case .keyPath(let base, let steps) = expression.kind, base.kind == .selfObject,
      let keys = Self.keys(steps)
    else { return "" }
    return isCount(steps) ? "count:(\(keys))" : keys
  }

  /// Whether a known answer covers it: a plain key path, or `@count` at the end of one.
  static func isKnown(_ expression: Expression) -> Bool {
    guard case .keyPath(let base, let steps) = expression.kind, base.kind == .selfObject else {
      return false
    }
    return keys(steps) != nil
  }

  private static func isCount(_ steps: [KeyPathStep]) -> Bool {
    steps.last?.kind == .collection(.count)
  }

  /// `a.b` of `a.b` and of `a.b.@count`; nil when there are other operators.
  private static func keys(_ steps: [KeyPathStep]) -> String? {
    let path = isCount(steps) ? steps.dropLast() : steps[...]
    var keys: [String] = []
    for step in path {
      guard case .key(let key) = step.kind else { return nil }
      keys.append(key)
    }
    return keys.isEmpty ? nil : keys.joined(separator: ".")
  }
}
