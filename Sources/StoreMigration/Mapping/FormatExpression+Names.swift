import StoreModel
import StorePredicate

extension FormatExpression {
  /// Whether a key path in it has this step, or is this path.
  func names(_ property: String) -> Bool {
    var isFound = false
    _ = rewriting { $0.find(property, &isFound) }
    return isFound
  }

  fileprivate func find(_ property: String, _ isFound: inout Bool) -> FormatExpression? {
    guard case .keyPath(_, let keys) = kind else { return nil }
    let steps = keys.compactMap { key -> String? in
      if case .key(let name) = key.kind { name } else { nil }
    }
    if steps.contains(property) || steps.joined(separator: ".") == property { isFound = true }
    return nil
  }
}

extension FormatPredicate {
  /// Whether a key path in it has this step, or is this path.
  func names(_ property: String) -> Bool {
    var isFound = false
    _ = rewriting { $0.find(property, &isFound) }
    return isFound
  }
}

extension TypedExpression {
  func names(_ property: String) -> Bool { expression.names(property) }
}

extension TypedPredicate {
  func names(_ property: String) -> Bool { predicate.names(property) }
}
