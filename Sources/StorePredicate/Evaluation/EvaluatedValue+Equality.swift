extension EvaluatedValue {
  /// Whether two values are the same to `==`. Null equals null here: what that means for a condition is
  /// the evaluator's matter.
  ///
  /// - Parameter asStored: whether values of two kinds are held together as a store holds them, so that
  ///   a date equals the number of its seconds.
  func equals(_ other: EvaluatedValue, folding: TextFolding, asStored: Bool) -> Bool {
    func same(_ left: EvaluatedValue, _ right: EvaluatedValue) -> Bool {
      left.equals(right, folding: folding, asStored: asStored)
    }
    switch (self, other) {
    case (.value(let left), .value(let right)):
      return left.equals(right, folding: folding, asStored: asStored)
    case (.object(let left), .object(let right)):
      return right.objectID.map(left.isNamed) ?? false
    case (.object(let object), .value(.objectID(let id))),
      (.value(.objectID(let id)), .object(let object)):
      return object.isNamed(by: id)
    case (.list(let left), .list(let right)):
      return left.count == right.count && zip(left, right).allSatisfy(same)
    case (.list(let left), .set(let right)), (.set(let left), .list(let right)),
      (.set(let left), .set(let right)):
      return left.allSatisfy { member in right.contains { same(member, $0) } }
        && right.allSatisfy { member in left.contains { same(member, $0) } }
    case (.dictionary(let left), .dictionary(let right)):
      return left.count == right.count
        && left.allSatisfy { key, value in right[key].map { same(value, $0) } ?? false }
    case (.value, _), (.object, _), (.list, _), (.set, _), (.dictionary, _): return false
    }
  }
}

extension Value {
  fileprivate func equals(_ other: Value, folding: TextFolding, asStored: Bool) -> Bool {
    if case .objectID(let left) = self, case .objectID(let right) = other {
      return left.matches(right)
    }
    guard self != .null, other != .null else { return self == other }
    guard asStored || kind == other.kind else { return false }
    return order(other, folding: folding) == 0
  }
}

extension [EvaluatedValue] {
  func contains(_ member: EvaluatedValue, folding: TextFolding, asStored: Bool) -> Bool {
    contains { $0.equals(member, folding: folding, asStored: asStored) }
  }

  /// Each member once, at its first place.
  func distinct(asStored: Bool) -> [EvaluatedValue] {
    var seen = MemberSet(asStored: asStored)
    return filter { seen.insert($0) }
  }
}
