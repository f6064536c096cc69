public import StorePredicate

/// Checks predicates and expressions against an entity of a model: all names exist, and all compared values are
/// comparable.
///
/// Constants are converted to the type that they are compared with. A text becomes a date, a UUID or an object ID, and
/// a number that is compared with a Float is rounded to 32 bits, like the values in the store. Each variable has the
/// type that it is compared with.
///
///     let checked = try PredicateChecker(model: model, entity: "Item").check(predicate)
///     checked.variables   // [(name: "LIST", type: .object("List"))]
public struct PredicateChecker: Sendable {
  package let model: DataModel
  package let entity: String
  /// The types of the variables whose types are known before the check, by the variable's name.
  package let variables: [String: ValueType]
  package let allowsAggregates: Bool
  /// The fetched property that contains the predicate, or nil for any other predicate.
  let source: FetchSource?

  /// Creates a checker.
  ///
  /// - Parameters:
  ///   - model: The model.
  ///   - entity: The name of the entity whose rows the predicate applies to.
  ///   - variables: The types of the variables whose types are known before the check, by the variable's name.
  ///   - allowsAggregates: Whether functions such as `sum(price)` may aggregate the rows, as in a select list or in
  ///     HAVING.
  public init(
    model: DataModel, entity: String, variables: [String: ValueType] = [:],
    allowsAggregates: Bool = false
  ) {
    self.model = model
    self.entity = entity
    self.variables = variables
    self.allowsAggregates = allowsAggregates
    source = nil
  }

  /// Creates a checker for the predicate of a fetched property. `$FETCH_SOURCE` is an object of the entity that has the
  /// property. Keys of `$FETCHED_PROPERTY` are replaced by constants.
  ///
  /// - Parameters:
  ///   - model: The model.
  ///   - entity: The name of the entity whose rows the predicate applies to.
  ///   - source: The fetched property, or nil for any other predicate.
  public init(model: DataModel, entity: String, source: FetchSource?) {
    self.model = model
    self.entity = entity
    variables = source.map { [FetchSource.objectVariable: .object($0.entity)] } ?? [:]
    allowsAggregates = false
    self.source = source
  }

  /// Checks a predicate.
  ///
  /// - Parameters:
  ///   - predicate: The predicate.
  ///   - text: The text that the predicate was parsed from, for the locations in the errors.
  /// - Returns: The predicate with converted constants, and its variables.
  /// - Throws: `CheckErrors` with all errors.
  public func check(
    _ predicate: FormatPredicate, in text: PredicateText? = nil
  ) throws(CheckErrors) -> CheckedPredicate {
    var checker = TypeChecker(checker: self)
    let typed = checker.check(predicate)
    try checker.finish(in: text)
    return CheckedPredicate(typed: typed, variables: checker.variables)
  }

  /// Checks an expression.
  ///
  /// - Parameters:
  ///   - expression: The expression.
  ///   - text: The text that the expression was parsed from, for the locations in the errors.
  /// - Returns: The expression with converted constants, and its type.
  /// - Throws: `CheckErrors` with all errors.
  public func check(
    _ expression: FormatExpression, in text: PredicateText? = nil
  ) throws(CheckErrors) -> CheckedExpression {
    var checker = TypeChecker(checker: self)
    let typed = checker.check(expression)
    try checker.finish(in: text)
    return CheckedExpression(typed: typed, variables: checker.variables)
  }

  /// Checks an expression that must have a certain type, such as the value of a variable.
  ///
  /// - Parameters:
  ///   - expression: The expression.
  ///   - type: The required type.
  ///   - text: The text that the expression was parsed from, for the locations in the errors.
  /// - Returns: The expression as a value of the type.
  /// - Throws: `CheckErrors` with all errors.
  public func check(
    _ expression: FormatExpression, as type: ValueType, in text: PredicateText? = nil
  ) throws(CheckErrors) -> CheckedExpression {
    var checker = TypeChecker(checker: self, comparesDigits: false)
    let typed = checker.convert(checker.check(expression), to: type)
    try checker.finish(in: text)
    return CheckedExpression(typed: typed, variables: checker.variables)
  }

  /// Converts a checked expression to a type.
  package func convert(
    _ checked: CheckedExpression, to type: ValueType
  ) throws(CheckErrors) -> CheckedExpression {
    var checker = TypeChecker(checker: self, comparesDigits: false)
    checker.variables = checked.variables
    let typed = checker.convert(checked.typed, to: type)
    try checker.finish(in: nil)
    return CheckedExpression(typed: typed, variables: checker.variables)
  }
}

/// A variable with the type that it is compared with.
public struct TypedVariable: Hashable, Sendable {
  /// The name without `$`.
  public var name: String
  /// The type that the variable is compared with.
  public var type: ValueType
}

/// A predicate that was checked against an entity.
public struct CheckedPredicate: Hashable, Sendable {
  package let typed: TypedPredicate
  /// The variables whose types weren't passed to the checker, in the order of their first occurrence.
  public var variables: [TypedVariable]

  /// The predicate. Its constants have the types that they are compared with.
  public var predicate: FormatPredicate { typed.predicate }
  /// The distinct key paths in the order of their first occurrence.
  public var keyPaths: [TypedKeyPath] { typed.keyPaths }
}

/// An expression that was checked against an entity.
public struct CheckedExpression: Hashable, Sendable {
  package let typed: TypedExpression
  /// The variables whose types weren't passed to the checker, in the order of their first occurrence.
  public var variables: [TypedVariable]

  /// The expression. Its constants have the types that they are compared with.
  public var expression: FormatExpression { typed.expression }
  /// The type of the expression.
  public var type: ValueType { typed.type }
}

extension PredicateChecker {
  /// Checks the predicate of a partial index: all names exist, and it doesn't contain variables.
  ///
  /// - Parameter text: The text that the predicate was parsed from, for the locations in the errors.
  package func check(
    indexCondition predicate: FormatPredicate, in text: PredicateText? = nil
  ) throws(CheckErrors) {
    var checker = TypeChecker(checker: self)
    _ = checker.check(predicate)
    checker.refuseVariables(at: TextRange(0..<(text?.text.utf8.count ?? 0)))
    try checker.finish(in: text)
  }

  /// Checks an indexed expression: all names exist, and it doesn't contain variables.
  package func check(
    indexed expression: FormatExpression, in text: PredicateText? = nil
  ) throws(CheckErrors) {
    var checker = TypeChecker(checker: self)
    _ = checker.check(expression)
    checker.refuseVariables(at: expression.range)
    try checker.finish(in: text)
  }
}

extension TypeChecker {
  fileprivate mutating func refuseVariables(at range: TextRange) {
    for variable in variables { report(.unboundVariable(variable.name), at: range) }
  }
}

/// A key path with the type of its values.
public struct TypedKeyPath: Hashable, Sendable {
  /// The key path.
  public var keyPath: FormatExpression
  /// The type of its values.
  public var type: ValueType
}

extension TypedPredicate {
  var keyPaths: [TypedKeyPath] { expressions.keyPathNodes.map(\.typedKeyPath) }
}

extension TypedExpression {
  /// The distinct key paths in the expression, in the order of their first occurrence.
  package var keyPathNodes: [TypedExpression] { [self].keyPathNodes }

  fileprivate var typedKeyPath: TypedKeyPath { TypedKeyPath(keyPath: expression, type: type) }

  /// The key paths in the parts, then this expression if it is a key path.
  fileprivate var allKeyPaths: [TypedExpression] {
    parts.flatMap(\.allKeyPaths) + (path == nil ? [] : [self])
  }
}

extension [TypedExpression] {
  fileprivate var keyPathNodes: [TypedExpression] {
    var seen: Set<TypedExpression> = []
    return flatMap(\.allKeyPaths).sorted { $0.range.lowerBound < $1.range.lowerBound }
      .filter { seen.insert($0).inserted }
  }
}

extension PredicateChecker {
  /// Checks the expression of a derived attribute: all names exist, collection operators follow a to-many relationship,
  /// and the result is one value of the attribute's type.
  ///
  /// - Parameter text: The text that the expression was parsed from, for the locations in the errors.
  /// - Returns: The expression as a value of the type.
  @discardableResult
  package func check(
    derivation: FormatExpression, as type: AttributeType, in text: PredicateText? = nil
  ) throws(CheckErrors) -> TypedExpression {
    var checker = TypeChecker(checker: self)
    let typed = checker.check(derivation.derivationForm)
    for keyPath in typed.keyPathNodes { checker.requireManyRows(in: keyPath) }
    checker.refuseVariables(at: derivation.range)
    if checker.errors.isEmpty { checker.requireValue(typed, of: type) }
    try checker.finish(in: text)
    let value = checker.convert(typed, to: .attribute(type))
    try checker.finish(in: text)
    return value
  }
}

extension TypeChecker {
  /// Reports an operator after a to-one relationship, such as `author.@count`.
  fileprivate mutating func requireManyRows(in keyPath: TypedExpression) {
    guard case .keyPath(_, let keys, let path) = keyPath.kind,
      let operation = keys.first(where: { $0.function != nil }),
      case .aggregate(let function, _) = path.ending, !path.isOverMany
    else { return }
    report(
      .needsCollection(.object(path.destination), operator: CheckError.shown(function.rawValue)),
      at: operation.range)
  }

  fileprivate mutating func requireValue(_ typed: TypedExpression, of type: AttributeType) {
    if let many = typed.path?.steps.first(where: \.isToMany), typed.type.isCollection {
      return report(.toManyAsValue(relationship: many.relationship), at: typed.range)
    }
    let expected = ValueType.attribute(type)
    guard !areComparable(typed.type, expected) else { return }
    report(
      .unexpected(typed.type, expected: expected.phrase, by: "the derived attribute"),
      at: typed.range)
  }
}

extension ResolvedKeyPath {
  fileprivate var isOverMany: Bool { isOverCollection || steps.contains(where: \.isToMany) }
}
