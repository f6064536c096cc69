#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Answers predicates over objects in memory, without a store.
///
///     var evaluator = PredicateEvaluator(nulls: .sql)
///     let matches = try rows.filter { row in try evaluator.matches(predicate, .object(row)) }
///
/// One evaluator serves many objects: it keeps the patterns of LIKE and MATCHES that it has compiled.
public struct PredicateEvaluator: Sendable {
  /// What a comparison with a missing value is.
  public enum NullLogic: Hashable, Sendable, CaseIterable {
    /// False, as Foundation has it: `!=` and NOT find the objects without a value.
    case memory
    /// Unknown, as in the store: neither a comparison nor its NOT finds them.
    case sql
  }

  public let nulls: NullLogic
  /// What `now()` is for every object: seconds since 2001-01-01 00:00 UTC.
  public var now: Double
  /// Values of the variables that no SUBQUERY binds.
  public var variables: [String: EvaluatedValue]
  /// The object behind an ID that the predicate holds, for the key paths that begin there:
  /// `SELF IN %@.friends`. Knows none by itself.
  public var object: @Sendable (ObjectID) -> (any PredicateObject)? = { _ in nil }

  /// What `SELF` is.
  var root = EvaluatedValue.null
  /// The members that the SUBQUERYs around have reached, by their variables.
  var elements: [String: EvaluatedValue] = [:]
  var patterns = PatternCache()
  private var depth = 0

  /// More than twice what the parser accepts; trees that code has built may go deeper than the stack.
  static let depthLimit = 200

  public init(nulls: NullLogic, variables: [String: EvaluatedValue] = [:]) {
    self.nulls = nulls
    self.variables = variables
    now = Date.timeIntervalSinceReferenceDate
  }

  /// Whether the predicate is true of an object; unknown is not true.
  public mutating func matches(
    _ predicate: FormatPredicate, _ object: EvaluatedValue
  ) throws(EvaluationError) -> Bool {
    begin(with: object)
    return try truth(of: predicate) == .yes
  }

  /// The value of an expression for an object.
  public mutating func value(
    of expression: FormatExpression, _ object: EvaluatedValue
  ) throws(EvaluationError) -> EvaluatedValue {
    begin(with: object)
    return try value(expression)
  }

  private mutating func begin(with object: EvaluatedValue) {
    root = object
    elements = [:]
    depth = 0
  }

  /// Every step down the tree passes through here, so that its depth is bounded.
  mutating func descend<Result>(
    at range: TextRange, _ body: (inout Self) throws(EvaluationError) -> Result
  ) throws(EvaluationError) -> Result {
    guard depth < Self.depthLimit else {
      throw EvaluationError(.nestedTooDeeply(limit: Self.depthLimit), at: range)
    }
    depth += 1
    defer { depth -= 1 }
    return try body(&self)
  }

  mutating func truth(of predicate: FormatPredicate) throws(EvaluationError) -> Truth {
    try descend(at: .none) { evaluator throws(EvaluationError) in
      switch predicate {
      case .constant(let isTrue): return Truth(isTrue)
      case .comparison(let comparison): return try evaluator.truth(of: comparison)
      case .not(let negated): return !(try evaluator.truth(of: negated))
      case .and(let members): return try evaluator.conjunction(of: members)
      case .or(let members): return try evaluator.disjunction(of: members)
      }
    }
  }

  /// Stops at the first member that is false. What the object does not have may be asked for beside a condition that
  /// is false of it, in either order: `effort > 3 AND entity == 'Task'`.
  private mutating func conjunction(of members: [FormatPredicate]) throws(EvaluationError) -> Truth
  {
    var result = Truth.yes
    var unknownKey: EvaluationError?
    for member in members {
      do throws(EvaluationError) {
        result = result && (try truth(of: member))
      } catch {
        guard case .unknownKey = error.kind, nulls == .sql else { throw error }
        unknownKey = unknownKey ?? error
      }
      if result == .no { return .no }
    }
    if let unknownKey { throw unknownKey }
    return result
  }

  /// Stops at the first member that is true.
  private mutating func disjunction(of members: [FormatPredicate]) throws(EvaluationError) -> Truth
  {
    var result = Truth.no
    for member in members {
      result = result || (try truth(of: member))
      if result == .yes { break }
    }
    return result
  }
}
