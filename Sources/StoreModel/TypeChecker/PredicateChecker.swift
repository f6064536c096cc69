public import StorePredicate

/// Checks predicates and expressions against an entity of a model: every name exists, every
/// comparison is between values that can be compared.
///
/// Constants come back as values of the type that they are compared with (text becomes a date, a
/// UUID, an object ID; a number compared with a Float is rounded to 32 bits as the store rounds
/// its values), and each variable gets the type of what it is compared with.
///
///     let checked = try PredicateChecker(model: model, entity: "Item").check(predicate)
///     checked.variables   // [(name: "LIST", type: .object("List"))]
public struct PredicateChecker: Sendable {
  package let model: Model
  package let entity: String
  /// Types that are known beforehand.
  package let variables: [String: ValueType]
  package let allowsAggregates: Bool
  /// What `$FETCHED_PROPERTY` stands for; nil outside of a fetched property.
  let source: FetchSource?

  /// - Parameters:
  ///   - model: the model.
  ///   - entity: the name of the entity whose rows the predicate is about.
  ///   - variables: types known beforehand.
  ///   - allowsAggregates: `sum(price)` may fold the rows, as in a select list or in HAVING.
  public init(
    model: Model, entity: String, variables: [String: ValueType] = [:],
    allowsAggregates: Bool = false
  ) {
    self.model = model
    self.entity = entity
    self.variables = variables
    self.allowsAggregates = allowsAggregates
    source = nil
  }

  /// For the predicate of a fetched property: `$FETCH_SOURCE` is an object of its entity, and what
  /// is asked of `$FETCHED_PROPERTY` comes back as a constant.
  ///
  /// - Parameters:
  ///   - model: the model.
  ///   - entity: the name of the entity.
  ///   - source: nil for any other predicate.
  public init(model: Model, entity: String, source: FetchSource?) {
    self.model = model
    self.entity = entity
    variables = source.map { [FetchSource.objectVariable: .object($0.entity)] } ?? [:]
    allowsAggregates = false
    self.source = source
  }

  /// - Parameters:
  ///   - predicate: the predicate.
  ///   - text: what the predicate was parsed from, for the places in the errors.
  public func check(
    _ predicate: FormatPredicate, in text: PredicateText? = nil
  ) throws(CheckErrors) -> CheckedPredicate {
    var checker = TypeChecker(self)
    let typed = checker.check(predicate)
    try checker.finish(in: text)
    return CheckedPredicate(typed: typed, variables: checker.variables)
  }

  public func check(
    _ expression: FormatExpression, in text: PredicateText? = nil
  ) throws(CheckErrors) -> CheckedExpression {
    var checker = TypeChecker(self)
    let typed = checker.check(expression)
    try checker.finish(in: text)
    return CheckedExpression(typed: typed, variables: checker.variables)
  }

  /// Checks an expression that is to become a value of a type: a default, an argument.
  public func check(
    _ expression: FormatExpression, as type: ValueType, in text: PredicateText? = nil
  ) throws(CheckErrors) -> CheckedExpression {
    var checker = TypeChecker(self, comparesDigits: false)
    let typed = checker.convert(checker.check(expression), to: type)
    try checker.finish(in: text)
    return CheckedExpression(typed: typed, variables: checker.variables)
  }

  /// A checked expression as a value of a type.
  package func convert(
    _ checked: CheckedExpression, to type: ValueType
  ) throws(CheckErrors) -> CheckedExpression {
    var checker = TypeChecker(self, comparesDigits: false)
    checker.variables = checked.variables
    let typed = checker.convert(checked.typed, to: type)
    try checker.finish(in: nil)
    return CheckedExpression(typed: typed, variables: checker.variables)
  }
}

/// A variable and the type of what it is compared with.
public struct TypedVariable: Hashable, Sendable {
  public var name: String
  public var type: ValueType
}

/// A predicate that fits its entity.
public struct CheckedPredicate: Hashable, Sendable {
  package let typed: TypedPredicate
  /// In the order of their first mention.
  public var variables: [TypedVariable]

  /// Its constants are of the types that they are compared with.
  public var predicate: FormatPredicate { typed.predicate }
  /// Each once, in the order of their first mention.
  public var keyPaths: [TypedKeyPath] { typed.keyPaths }
}

/// An expression that fits its entity.
public struct CheckedExpression: Hashable, Sendable {
  package let typed: TypedExpression
  public var variables: [TypedVariable]

  /// Its constants are of the types that they are compared with.
  public var expression: FormatExpression { typed.expression }
  public var type: ValueType { typed.type }
}

extension PredicateChecker {
  /// Checks which rows a partial index is about: every name exists, and nothing has a value only when it is asked for.
  ///
  /// - Parameter text: what the predicate was parsed from, for the places in the errors.
  package func check(
    indexCondition predicate: FormatPredicate, in text: PredicateText? = nil
  ) throws(CheckErrors) {
    var checker = TypeChecker(self)
    _ = checker.check(predicate)
    checker.refuseVariables(at: TextRange(0..<(text?.text.utf8.count ?? 0)))
    try checker.finish(in: text)
  }

  /// The same for the expression that an index is over.
  package func check(
    indexed expression: FormatExpression, in text: PredicateText? = nil
  ) throws(CheckErrors) {
    var checker = TypeChecker(self)
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

/// A key path, and the type of what it leads to.
public struct TypedKeyPath: Hashable, Sendable {
  public var keyPath: FormatExpression
  public var type: ValueType
}

extension TypedPredicate {
  /// The key paths, each once, in the order of their first mention.
  var keyPaths: [TypedKeyPath] { expressions.keyPathNodes.map(\.typedKeyPath) }
}

extension TypedExpression {
  /// The key paths in it, each once, in the order of their first mention.
  package var keyPathNodes: [TypedExpression] { [self].keyPathNodes }

  fileprivate var typedKeyPath: TypedKeyPath { TypedKeyPath(keyPath: expression, type: type) }

  /// A key path stands behind those that it begins with.
  fileprivate func gatherKeyPaths(into found: inout [TypedExpression]) {
    for part in parts { part.gatherKeyPaths(into: &found) }
    if path != nil { found.append(self) }
  }
}

extension [TypedExpression] {
  fileprivate var keyPathNodes: [TypedExpression] {
    var found: [TypedExpression] = []
    for expression in self { expression.gatherKeyPaths(into: &found) }
    var seen: Set<TypedExpression> = []
    return found.sorted { $0.range.lowerBound < $1.range.lowerBound }
      .filter { seen.insert($0).inserted }
  }
}

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
    checker.refuseVariables(at: derivation.range)
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
      let operation = keys.first(where: { $0.function != nil }),
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
