import StorePredicate

extension TypeChecker {
  /// `$FETCHED_PROPERTY`, in the request of one.
  func isFetchedProperty(_ expression: FormatExpression) -> Bool {
    checker.source != nil && elements[FetchSource.propertyVariable] == nil
      && expression.kind == .variable(FetchSource.propertyVariable)
  }

  /// What the model says of the property: `name`, `userInfo.KEY`. It is the same for every row, and so
  /// a constant.
  mutating func describe(_ keys: [KeyPathStep], at range: TextRange) -> TypedExpression {
    guard let source = checker.source else { return .mistake(at: range) }
    let path = keys.map(\.text).joined(separator: ".")
    var known = Dictionary(
      source.userInfo.map { ("userInfo.\($0.key)", $0.value) }
    ) { first, _ in first }
    known["name"] = source.property
    guard let text = known[path] else {
      report(
        .unknownDescription(path, property: source.property, known: known.keys.sorted()),
        at: range)
      return .mistake(at: range)
    }
    return TypedExpression(.constant(.string(text)), as: .attribute(.string), at: range)
  }
}
