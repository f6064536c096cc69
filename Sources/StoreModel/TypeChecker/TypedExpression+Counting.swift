import StorePredicate

extension TypedExpression {
  /// The collection of objects that it counts: `items.@count`, `SUBQUERY(…).@count`, `items[SIZE]`,
  /// `count(items)`; nil when it counts nothing, or the members of a list.
  package var countedObjects: TypedExpression? {
    guard let counted, case .collection(of: .object) = counted.type else { return nil }
    if case .list = counted.kind { return nil }
    return counted
  }

  private var counted: TypedExpression? {
    switch kind {
    case .keyPath(let base, let keys, var path):
      guard path.ending == .aggregate(.count, over: nil) else { return nil }
      guard keys.count > 1 else { return base }
      path.ending = .object
      return TypedExpression(
        .keyPath(base: base, keys.dropLast(), path), as: path.type, at: range)
    case .element(let collection, .size): return collection
    case .function(.count, let arguments): return arguments.count == 1 ? arguments[0] : nil
    default: return nil
    }
  }
}
