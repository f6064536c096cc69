import StorePredicate

extension Checking {
  /// A key path from one row, or from the members of a collection.
  mutating func keyPath(
    _ keys: [KeyPathStep], from base: Expression, _ expression: Expression
  ) -> Typed {
    if let (members, rest) = Self.splitBehindUnion(keys, from: base, at: expression.range) {
      return keyPath(rest, from: members, expression)
    }
    if let row = row(of: base) {
      return follow(
        keys, from: row, at: EntityNarrowing.Base(base), Typed(expression: expression, type: .any))
    }
    let start = check(base)
    var checked = Typed(expression: expression, type: .any, unordered: start.unordered)
    checked.expression.kind = .keyPath(base: start.expression, keys)
    if let entity = start.type.element.entity {
      return follow(keys, from: entity, isOverCollection: start.type.isCollection, checked)
    }
    // The base's own mistake is reported already, or it is a variable without a value.
    guard start.type != .any, let next = keys.first else { return checked }
    if let folded = folded(keys, start, at: expression.range) { return folded }
    report(.keyOfValue(start.type, next: next.text), at: next.range)
    return checked
  }

  /// `SUBQUERY(…).name` has many values, as its collection has.
  private mutating func follow(
    _ keys: [KeyPathStep], from entity: String, at base: EntityNarrowing.Base? = nil,
    isOverCollection: Bool = false, _ checked: Typed
  ) -> Typed {
    do throws(CheckError) {
      let resolver = KeyPathResolver(model: model, narrowing: narrowing)
      var path = try resolver.resolve(keys, from: entity, at: base)
      path.isOverCollection = isOverCollection
      note(checked.expression, as: path.type)
      return Typed(
        expression: checked.expression, type: path.type, path: path,
        unordered: checked.unordered ?? unorderedPart(of: path))
    } catch {
      errors.append(error)
      return checked
    }
  }

  /// The row that a key path starts from; nil when it starts from another expression, or is not known yet.
  func row(of base: Expression) -> String? {
    switch base.kind {
    case .selfObject: checker.entity
    case .variable(let name): (elements[name] ?? checker.variables[name])?.entity
    case .constant(.objectID(let id)): id.entity
    default: nil
    }
  }

  // MARK: Order

  private func unorderedPart(of path: ResolvedKeyPath) -> String? {
    let step = path.steps.first { step in
      guard step.isToMany, let entity = model.entity(named: step.entity),
        case .relationship(let relationship)? =
          model.property(named: step.relationship, of: entity)?.0
      else { return false }
      return !relationship.isOrdered
    }
    if let step { return step.relationship }
    guard case .aggregate(let function, let over) = path.ending else { return nil }
    return function.isDistinct ? function.rawValue : over.flatMap(unorderedPart)
  }

  // MARK: Folding

  /// `items.@distinctUnionOfObjects.price.@count`: the last operator works on the collection before it.
  /// Nil when nothing stands behind a collection's operator.
  private static func splitBehindUnion(
    _ keys: [KeyPathStep], from base: Expression, at range: TextRange
  ) -> (members: Expression, rest: [KeyPathStep])? {
    guard let union = keys.firstIndex(where: { $0.function?.makesCollection == true }),
      let next = keys[(union + 1)...].firstIndex(where: { $0.function != nil })
    else { return nil }
    let members = Expression(.keyPath(base: base, Array(keys[..<next])), range: range)
    return (members, Array(keys[next...]))
  }

  /// `(name UNION {'a'}).@count`: values have no keys, but they can be folded, as a function does it.
  private mutating func folded(
    _ keys: [KeyPathStep], _ members: Typed, at range: TextRange
  ) -> Typed? {
    guard members.type.isCollection, let function = keys.first?.function,
      keys.dropFirst().allSatisfy({ $0.kind == .key("self") })
    else { return nil }
    if function == .count {
      let size = Expression(.element(members.expression, .size), range: range)
      return Typed(expression: size, type: .attribute(.integer64))
    }
    guard let folding = function.function else { return nil }
    let type = fold(folding, [members], at: range)
    let expression = Expression(.function(folding, [members.expression]), range: range)
    return Typed(expression: expression, type: type)
  }
}

extension KeyPathStep {
  fileprivate var function: CollectionOperator? {
    if case .collection(let function) = kind { function } else { nil }
  }
}

extension CollectionOperator {
  /// The function that folds as it does.
  fileprivate var function: Function? {
    switch self {
    case .sum: .sum
    case .min: .min
    case .max: .max
    case .average: .average
    case .count, .distinctUnionOfObjects, .unionOfObjects, .distinctUnionOfArrays, .unionOfArrays,
      .distinctUnionOfSets:
      nil
    }
  }
}
