import StorePredicate

extension TypeChecker {
  /// Checks a key path that starts at one row or at the members of a collection.
  mutating func keyPath(
    _ keys: [KeyPathStep], from base: FormatExpression, at range: TextRange
  ) -> TypedExpression {
    if let (members, rest) = Self.splitBehindUnion(keys, from: base, at: range) {
      return keyPath(rest, from: members, at: range)
    }
    let start = check(base)
    let untyped = TypedExpression(.untypedKeyPath(base: start, keys), as: .any, at: range)
    guard let entity = start.type.element.entity else {
      // Either an error of the base was reported already, or the base is a variable without a type.
      guard start.type != .any, let next = keys.first else { return untyped }
      if let folded = folded(keys, start, at: range) { return folded }
      report(.keyOfValue(start.type, next: next.text), at: next.range)
      return untyped
    }
    do throws(CheckError) {
      let isOverCollection = start.type.isCollection
      let resolver = KeyPathResolver(model: model, narrowing: narrowing)
      var path = try resolver.resolve(
        keys, from: entity, at: isOverCollection ? nil : EntityNarrowing.Base(base))
      // `SUBQUERY(…).name` has several values, because the collection has several members.
      path.isOverCollection = isOverCollection
      return TypedExpression(
        .keyPath(base: start, keys, path), as: path.type, at: range,
        unordered: start.unordered ?? unorderedPart(of: path))
    } catch {
      errors.append(error)
      return untyped
    }
  }

  // MARK: Order

  /// Returns the name of the first relationship or operator that makes the values unordered, or nil if they are
  /// ordered.
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

  /// Splits `items.@distinctUnionOfObjects.price.@count` before the operator that follows the union and applies to its
  /// result. Returns nil if no operator follows a union.
  private static func splitBehindUnion(
    _ keys: [KeyPathStep], from base: FormatExpression, at range: TextRange
  ) -> (members: FormatExpression, rest: [KeyPathStep])? {
    guard let union = keys.firstIndex(where: { $0.function?.makesCollection == true }),
      let next = keys[(union + 1)...].firstIndex(where: { $0.function != nil })
    else { return nil }
    let members = FormatExpression(.keyPath(base: base, Array(keys[..<next])), range: range)
    return (members, Array(keys[next...]))
  }

  /// Converts `(name UNION {'a'}).@max` to a function, because values don't have keys but can be aggregated. Returns
  /// nil for other key paths.
  private mutating func folded(
    _ keys: [KeyPathStep], _ members: TypedExpression, at range: TextRange
  ) -> TypedExpression? {
    guard members.type.isCollection, let function = keys.first?.function,
      keys.dropFirst().allSatisfy({ $0.kind == .key("self") })
    else { return nil }
    if function == .count {
      return TypedExpression(.element(members, .size), as: .attribute(.integer64), at: range)
    }
    guard let folding = function.function else { return nil }
    let type = fold(folding, [members], at: range)
    return TypedExpression(.function(folding, [members]), as: type, at: range)
  }
}

extension CollectionOperator {
  /// The function with the same result as this operator, or nil if there is none.
  fileprivate var function: FormatFunction? {
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
