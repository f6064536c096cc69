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
  package let source: FetchSource?
  /// What the conditions around say of the entities of rows, for a part of a larger predicate.
  package var narrowing = EntityNarrowing()

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
    _ predicate: Predicate, in text: PredicateText? = nil
  ) throws(CheckFailure) -> CheckedPredicate {
    var checking = Checking(self)
    let checked = checking.check(predicate)
    if let failure = checking.failure(in: text) { throw failure }
    return CheckedPredicate(
      predicate: checked, variables: checking.variables, keyPaths: checking.keyPaths)
  }

  public func check(
    _ expression: Expression, in text: PredicateText? = nil
  ) throws(CheckFailure) -> CheckedExpression {
    var checking = Checking(self)
    let checked = checking.check(expression)
    if let failure = checking.failure(in: text) { throw failure }
    return CheckedExpression(
      expression: checked.expression, type: checked.type, variables: checking.variables)
  }

  /// Whether the members of a collection have places: a list, an ordered to-many.
  package func isOrdered(_ collection: Expression) -> Bool {
    var checking = Checking(self)
    return checking.check(collection).unordered == nil
  }

  /// Checks an expression that is to become a value of a type: a default, an argument.
  public func check(
    _ expression: Expression, as type: ValueType, in text: PredicateText? = nil
  ) throws(CheckFailure) -> CheckedExpression {
    var checking = Checking(self)
    let checked = checking.convert(checking.check(expression), to: type)
    if let failure = checking.failure(in: text) { throw failure }
    return CheckedExpression(
      expression: checked.expression, type: checked.type, variables: checking.variables)
  }
}

/// A variable and the type of what it is compared with.
public struct TypedVariable: Hashable, Sendable {
  public var name: String
  public var type: ValueType
}

/// A key path, and the type of what it leads to.
public struct TypedKeyPath: Hashable, Sendable {
  public var keyPath: Expression
  public var type: ValueType
}

/// A predicate that fits its entity.
public struct CheckedPredicate: Hashable, Sendable {
  /// Its constants are of the types that they are compared with.
  public var predicate: Predicate
  /// In the order of their first mention.
  public var variables: [TypedVariable]
  /// Each once, in the order of their first mention.
  public var keyPaths: [TypedKeyPath]
}

/// An expression that fits its entity.
public struct CheckedExpression: Hashable, Sendable {
  public var expression: Expression
  public var type: ValueType
  public var variables: [TypedVariable]
}
