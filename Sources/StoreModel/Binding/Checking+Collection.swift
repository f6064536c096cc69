import StorePredicate

// Collections as such: UNION and its like, members by their place.

extension Checking {
  /// `a UNION b`: two collections with members of one kind.
  mutating func set(
    _ operation: SetOperator, _ left: Expression, _ right: Expression, _ checked: inout Expression
  ) -> ValueType {
    var left = collection(check(left), by: operation.rawValue)
    var right = collection(check(right), by: operation.rawValue)
    if left.type.isCollection, right.type.isCollection { unify(&left, &right) }
    checked.kind = .set(operation, left.expression, right.expression)
    let member = left.type.element == .any ? right.type.element : left.type.element
    return .collection(of: member)
  }

  private mutating func collection(_ side: Typed, by operation: String) -> Typed {
    guard !side.type.isCollection, side.type != .any else { return side }
    report(.needsCollection(side.type, operator: operation), at: side.expression.range)
    return side
  }

  /// `a[0]`, `a[FIRST]`, `a[LAST]`, `a[SIZE]`
  mutating func element(
    _ collection: Expression, _ index: Index, _ checked: inout Expression
  ) -> ValueType {
    let whole = check(collection)
    checked.kind = .element(whole.expression, index)
    guard whole.type.isCollection else {
      reportInside(whole, by: "[…]")
      return index == .size ? .attribute(.integer64) : .any
    }
    switch index {
    case .size: return .attribute(.integer64)
    case .first, .last: break
    case .at(let place):
      let place = number(check(place), by: "[…]")
      checked.kind = .element(whole.expression, .at(place.expression))
    }
    if let name = whole.unordered { report(.unordered(name), at: whole.expression.range) }
    return whole.type.element
  }

  /// `a['key']` as the key path `a.key`, which it is for objects; nil for another index.
  static func keyPath(byKey expression: Expression) -> Expression? {
    guard case .element(let owner, .at(let place)) = expression.kind,
      case .constant(.string(let key)) = place.kind
    else { return nil }
    let step = KeyPathStep(.key(key), range: place.range)
    let path = keyPath(byKey: owner) ?? owner
    guard case .keyPath(let base, let keys) = path.kind else {
      return Expression(.keyPath(base: path, [step]), range: expression.range)
    }
    return Expression(.keyPath(base: base, keys + [step]), range: expression.range)
  }

  private mutating func reportInside(_ side: Typed, by operation: String) {
    switch side.type {
    case .attribute(.transformable): reportOpaque(side)
    case .any: break
    default:
      report(.needsCollection(side.type, operator: operation), at: side.expression.range)
    }
  }

  /// What an app has archived in a column is bytes to a store.
  mutating func reportOpaque(_ side: Typed) {
    var name = "this value"
    if case .attribute(let attribute, _)? = side.path?.ending { name = "'\(attribute.name)'" }
    report(.insideTransformable(name), at: side.expression.range)
  }
}
