import StorePredicate

/// A derivation expression as Core Data prints it, which is what the hash is taken of.
enum DerivationText {
  /// `count:(pages)` for `pages.@count`; else the canonical text, which is a guess for all but key paths.
  static func text(of expression: FormatExpression) -> String {
    guard let path = KnownPath(expression) else { return expression.format }
    return path.isCounted ? "count:(\(path.keys))" : path.keys
  }

  /// Whether a known answer covers it: a plain key path, or `@count` at the end of one.
  static func isKnown(_ expression: FormatExpression) -> Bool {
    KnownPath(expression) != nil
  }

  private struct KnownPath {
    var keys: String
    var isCounted: Bool

    init?(_ expression: FormatExpression) {
      guard case .keyPath(let base, let steps) = expression.kind, base.kind == .selfObject else {
        return nil
      }
      isCounted = steps.last?.kind == .collection(.count)
      var names: [String] = []
      for step in isCounted ? steps.dropLast() : steps[...] {
        guard case .key(let name) = step.kind else { return nil }
        names.append(name)
      }
      guard !names.isEmpty else { return nil }
      keys = names.joined(separator: ".")
    }
  }
}
