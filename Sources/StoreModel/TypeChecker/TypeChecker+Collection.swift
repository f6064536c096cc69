import StorePredicate

// Collections as such: UNION and its like, members by their place.

extension TypeChecker {
  /// `a UNION b`: two collections with members of one kind.
  mutating func set(
    _ operation: SetOperator, _ left: FormatExpression, _ right: FormatExpression,
    at range: TextRange
  ) -> TypedExpression {
    var left = collection(check(left), by: operation.rawValue)
    var right = collection(check(right), by: operation.rawValue)
    if left.type.isCollection, right.type.isCollection { unify(&left, &right) }
    let member = left.type.element == .any ? right.type.element : left.type.element
    return TypedExpression(
      .set(operation, left, right), as: .collection(of: member), at: range,
      unordered: operation.rawValue)
  }

  private mutating func collection(
    _ side: TypedExpression, by operation: String
  ) -> TypedExpression {
    guard !side.type.isCollection, side.type != .any else { return side }
    report(.needsCollection(side.type, operator: operation), at: side.range)
    return side
  }

  /// `a[0]`, `a[FIRST]`, `a[LAST]`, `a[SIZE]`
  mutating func element(
    _ collection: FormatExpression, _ index: Index, at range: TextRange
  ) -> TypedExpression {
    let whole = check(collection)
    if !whole.type.isCollection { reportInside(whole, by: "[…]") }
    let place: TypedIndex
    switch index {
    case .size:
      return TypedExpression(.element(whole, .size), as: .attribute(.integer64), at: range)
    case .first: place = .first
    case .last: place = .last
    case .at(let number): place = .at(self.number(check(number), by: "[…]"))
    }
    guard whole.type.isCollection else {
      return TypedExpression(.element(whole, place), as: .any, at: range)
    }
    if let name = whole.unordered { report(.unordered(name), at: whole.range) }
    return TypedExpression(.element(whole, place), as: whole.type.element, at: range)
  }

  /// `a['key']` as the key path `a.key`, which it is for objects; nil for another index.
  static func keyPath(byKey expression: FormatExpression) -> FormatExpression? {
    guard case .element(let owner, .at(let place)) = expression.kind,
      case .constant(.string(let key)) = place.kind
    else { return nil }
    let step = KeyPathStep(.key(key), range: place.range)
    let path = keyPath(byKey: owner) ?? owner
    guard case .keyPath(let base, let keys) = path.kind else {
      return FormatExpression(.keyPath(base: path, [step]), range: expression.range)
    }
    return FormatExpression(.keyPath(base: base, keys + [step]), range: expression.range)
  }

  private mutating func reportInside(_ side: TypedExpression, by operation: String) {
    switch side.type {
    case .attribute(.transformable): reportOpaque(side)
    case .any: break
    default:
      report(.needsCollection(side.type, operator: operation), at: side.range)
    }
  }

  /// What an app has archived in a column is bytes to a store.
  mutating func reportOpaque(_ side: TypedExpression) {
    var name = "this value"
    if case .attribute(let attribute, _)? = side.path?.ending { name = "'\(attribute.name)'" }
    report(.insideTransformable(name), at: side.range)
  }
}
