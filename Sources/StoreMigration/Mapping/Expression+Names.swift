import StorePredicate

extension Expression {
  /// Whether a key path in it has this step.
  func names(_ property: String) -> Bool {
    var isFound = false
    _ = rewriting { (part: Expression) -> Expression? in
      guard case .keyPath(_, let keys) = part.kind else { return nil }
      let steps = keys.compactMap { key -> String? in
        if case .key(let name) = key.kind { name } else { nil }
      }
      if steps.contains(property) || steps.joined(separator: ".") == property { isFound = true }
      return nil
    }
    return isFound
  }
}
