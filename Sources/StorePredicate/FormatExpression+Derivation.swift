extension FormatExpression {
  /// The spelling in which derivations are checked and computed: `items.@count` for `count:(items)`, `items.@sum.price`
  /// for `items.price.@sum` and `sum:(items.price)`.
  ///
  /// Apple's derivations have the operator at the end (docs/formats/model-xml.md). Predicates have it in front of what it
  /// folds.
  package var derivationForm: FormatExpression {
    switch kind {
    case .function(.count, let arguments) where arguments.count == 1:
      arguments[0].appending(.count)?.derivationForm ?? self
    case .function(.sum, let arguments) where arguments.count == 1:
      arguments[0].appending(.sum)?.derivationForm ?? self
    case .keyPath(let base, let steps) where Self.endsWithFold(steps):
      FormatExpression(
        .keyPath(base: base, steps.dropLast(2) + [steps[steps.count - 1], steps[steps.count - 2]]),
        range: range)
    default: self
    }
  }

  private func appending(_ operation: CollectionOperator) -> FormatExpression? {
    guard case .keyPath(let base, let steps) = kind else { return nil }
    return FormatExpression(
      .keyPath(base: base, steps + [KeyPathStep(.collection(operation), range: range)]),
      range: range)
  }

  /// The place of a collection operator that isn't the last part: `items.@sum.price`.
  package var foldInTheMiddle: TextRange? {
    guard case .keyPath(_, let steps) = kind else { return nil }
    return steps.dropLast().first { step in
      if case .collection = step.kind { true } else { false }
    }?.range
  }

  /// `items.price.@sum`, not `items.@count`.
  private static func endsWithFold(_ steps: [KeyPathStep]) -> Bool {
    guard steps.count > 2, case .collection(let last)? = steps.last?.kind, last != .count else {
      return false
    }
    return steps.dropLast().allSatisfy { step in
      if case .key = step.kind { true } else { false }
    }
  }
}
