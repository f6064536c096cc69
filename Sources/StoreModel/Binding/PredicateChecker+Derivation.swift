package import StorePredicate

extension PredicateChecker {
  /// Checks what a derived attribute is computed from: every name exists, what folds has many rows to
  /// fold, and one value of the attribute's type comes out.
  ///
  /// - Parameter text: what the expression was parsed from, for the places in the errors.
  package func check(
    derivation: Expression, as type: AttributeType, in text: PredicateText? = nil
  ) throws(CheckFailure) {
    var checking = Checking(self)
    let checked = checking.check(derivation)
    for keyPath in checking.keyPaths { checking.requireManyRows(in: keyPath.keyPath) }
    for variable in checking.variables {
      checking.report(.unboundVariable(variable.name), at: derivation.range)
    }
    if checking.errors.isEmpty { checking.requireValue(checked, of: type) }
    if let failure = checking.failure(in: text) { throw failure }
  }
}

extension Checking {
  /// `author.@count`: there is one row at most, and nothing to fold.
  fileprivate mutating func requireManyRows(in keyPath: Expression) {
    guard case .keyPath(let base, let keys) = keyPath.kind, let row = row(of: base),
      let operation = keys.first(where: \.isCollectionOperator)
    else { return }
    do throws(CheckError) {
      let path = try KeyPathResolver(model: model).resolve(keys, from: row)
      guard case .aggregate(let function, _) = path.ending, !path.isOverMany else { return }
      report(
        .needsCollection(
          path.steps.last.map { .object($0.destination) } ?? .object(row),
          operator: "'\(function.rawValue)'"), at: operation.range)
    } catch {
      // Noted key paths have been resolved before.
      errors.append(error)
    }
  }

  fileprivate mutating func requireValue(_ typed: Typed, of type: AttributeType) {
    let range = typed.expression.range
    if let many = typed.path?.steps.first(where: \.isToMany), typed.type.isCollection {
      return report(.toManyAsValue(relationship: many.relationship), at: range)
    }
    let expected = ValueType.attribute(type)
    guard !areComparable(typed.type, expected) else { return }
    report(.unexpected(typed.type, expected: "\(expected)", by: "the derived attribute"), at: range)
  }
}

extension ResolvedKeyPath {
  fileprivate var isOverMany: Bool { isOverCollection || steps.contains(where: \.isToMany) }
}

extension KeyPathStep {
  fileprivate var isCollectionOperator: Bool {
    if case .collection = kind { true } else { false }
  }
}
