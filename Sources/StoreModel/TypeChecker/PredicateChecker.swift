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
  /// - Parameter source: nil for any other predicate.
  public init(model: Model, entity: String, source: FetchSource?) {
    self.model = model
    self.entity = entity
    variables = source.map { [FetchSource.objectVariable: .object($0.entity)] } ?? [:]
    allowsAggregates = false
    self.source = source
  }

  /// - Parameter text: what the predicate was parsed from, for the places in the errors.
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
