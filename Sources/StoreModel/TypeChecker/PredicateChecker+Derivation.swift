package import StorePredicate

extension PredicateChecker {
  /// Checks what a derived attribute is computed from: every name exists, what folds has many rows to
  /// fold, and one value of the attribute's type comes out.
  ///
  /// - Parameter text: what the expression was parsed from, for the places in the errors.
  /// - Returns: the expression as a value of the type.
  @discardableResult
  package func check(
    derivation: FormatExpression, as type: AttributeType, in text: PredicateText? = nil
  ) throws(CheckErrors) -> TypedExpression {
    var checker = TypeChecker(self)
    let typed = checker.check(derivation.derivationForm)
    for keyPath in typed.keyPathNodes { checker.requireManyRows(in: keyPath) }
    for variable in checker.variables {
      checker.report(.unboundVariable(variable.name), at: derivation.range)
    }
    if checker.errors.isEmpty { checker.requireValue(typed, of: type) }
    try checker.finish(in: text)
    let value = checker.convert(typed, to: .attribute(type))
    try checker.finish(in: text)
    return value
  }
}

extension TypeChecker {
  /// `author.@count`: there is one row at most, and nothing to fold.
  fileprivate mutating func requireManyRows(in keyPath: TypedExpression) {
    guard case .keyPath(_, let keys, let path) = keyPath.kind,
      let operation = keys.first(where: \.isCollectionOperator),
      case .aggregate(let function, _) = path.ending, !path.isOverMany
    else { return }
    report(
      .needsCollection(.object(path.destination), operator: "'\(function.rawValue)'"),
      at: operation.range)
  }

  fileprivate mutating func requireValue(_ typed: TypedExpression, of type: AttributeType) {
    if let many = typed.path?.steps.first(where: \.isToMany), typed.type.isCollection {
      return report(.toManyAsValue(relationship: many.relationship), at: typed.range)
    }
    let expected = ValueType.attribute(type)
    guard !areComparable(typed.type, expected) else { return }
    report(
      .unexpected(typed.type, expected: "\(expected)", by: "the derived attribute"),
      at: typed.range)
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
