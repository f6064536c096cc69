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

/// Text patterns that are ready to be held against the texts of many objects.
struct PatternCache: Sendable {
  private struct Key: Hashable {
    var test: TextMatcher.Test
    /// As bytes: to a String a letter with its mark is equal to the two composed.
    var pattern: [UInt8]
    var options: Comparison.Options
  }

  private var matchers: [Key: TextMatcher] = [:]

  /// A pattern may come from the object and be another one each time: then nothing is worth keeping.
  private static let capacity = 64

  mutating func matcher(
    _ test: TextMatcher.Test, _ pattern: String, options: Comparison.Options
  ) throws(TextMatcher.InvalidPattern) -> TextMatcher {
    let key = Key(test: test, pattern: Array(pattern.utf8), options: options)
    if let known = matchers[key] { return known }
    let matcher = try TextMatcher(test, pattern, options: options)
    if matchers.count >= Self.capacity { matchers.removeAll(keepingCapacity: true) }
    matchers[key] = matcher
    return matcher
  }
}

extension PredicateEvaluator {
  /// `FUNCTION(receiver, 'selector:', …)`: the methods of Foundation's own values that need no
  /// Foundation to be called.
  mutating func call(
    _ selector: String, of receiver: FormatExpression, _ arguments: [FormatExpression],
    at range: TextRange
  ) throws(EvaluationError) -> EvaluatedValue {
    let target = try value(receiver)
    let values = try values(arguments)
    if target.isNull || values.contains(where: \.isNull) { return .null }
    if let result = Self.call(selector, of: target, values) { return .value(result) }
    switch (selector, values.first) {
    case ("count", nil):
      if let members = target.members { return .value(.integer(Int64(members.count))) }
    case ("valueForKey:", .value(.string(let key))?), ("objectForKey:", .value(.string(let key))?):
      return try follow([KeyPathStep(.key(key), range: range)][...], from: target)
    default: break
    }
    throw EvaluationError(.unknownMethod(selector), at: range)
  }

  /// Nil for what is not a method of a string, or not with these arguments.
  private static func call(
    _ selector: String, of target: EvaluatedValue, _ arguments: [EvaluatedValue]
  ) -> Value? {
    guard case .value(.string(let text)) = target, let method = TextMethod(rawValue: selector),
      arguments.count < 2
    else { return nil }
    guard let argument = arguments.first else { return method.call(on: text, nil) }
    guard case .value(let value) = argument else { return nil }
    return method.call(on: text, value)
  }

  /// `x IN {…}`, `x IN tags.name`, `'a' IN name`; CONTAINS with its sides exchanged.
  ///
  /// - Parameter expression: the collection as it is written.
  mutating func membership(
    of member: EvaluatedValue, in collection: EvaluatedValue, written expression: FormatExpression,
    _ options: Comparison.Options, at range: TextRange
  ) throws(EvaluationError) -> Truth {
    if case .value(.string(let text)) = collection {
      return try contains(text, member, options, at: range)
    }
    guard let members = collection.members else {
      guard collection.isNull else {
        throw EvaluationError(
          .expectedCollection(found: collection.noun), at: expression.range)
      }
      // The list that nil stands for has no members; a NULL attribute is a text nobody knows.
      return expression.kind == .constant(.null) ? .no : unknown
    }
    if members.isEmpty { return .no }
    let isListed = isListed(expression)
    if member.isNull { return isListed ? unknown : .no }
    let folding = TextFolding(options)
    if members.contains(member, folding: folding, asStored: asStored) { return .yes }
    return isListed && members.contains(where: \.isNull) ? unknown : .no
  }

  /// Whether the members are written one by one. SQL asks whether any row of a collection is equal,
  /// which is true or false; a NULL among listed values makes the answer unknown.
  private func isListed(_ expression: FormatExpression) -> Bool {
    switch expression.kind {
    case .list: true
    case .variable(let name): elements[name] == nil
    case .constant, .selfObject, .keyPath, .arithmetic, .negated, .function, .method, .cast,
      .ternary, .subquery, .set, .element:
      false
    }
  }

  /// The substring test that IN is over a text.
  private mutating func contains(
    _ text: String, _ part: EvaluatedValue, _ options: Comparison.Options, at range: TextRange
  ) throws(EvaluationError) -> Truth {
    if part.isNull { return unknown }
    return Truth(try match(text, .contains, self.text(part, at: range), options, at: range))
  }

  /// CONTAINS, BEGINSWITH, ENDSWITH, LIKE, MATCHES over text.
  mutating func text(
    _ left: EvaluatedValue, _ right: EvaluatedValue, _ comparison: Comparison
  ) throws(EvaluationError) -> Truth {
    if left.isNull || right.isNull { return unknown }
    let text = try text(left, at: comparison.left.range)
    let pattern = try self.text(right, at: comparison.right.range)
    guard let test = TextMatcher.Test(comparison.operator) else { return .no }
    return Truth(
      try match(text, test, pattern, comparison.options, at: comparison.right.range))
  }

  private mutating func match(
    _ text: String, _ test: TextMatcher.Test, _ pattern: String, _ options: Comparison.Options,
    at range: TextRange
  ) throws(EvaluationError) -> Bool {
    let matcher: TextMatcher
    do throws(TextMatcher.InvalidPattern) {
      matcher = try patterns.matcher(test, pattern, options: options)
    } catch {
      throw EvaluationError(.invalidPattern(error.pattern), at: range)
    }
    do throws(TextMatcher.ExcessiveWork) {
      return try matcher.matches(text)
    } catch {
      throw EvaluationError(.excessivePattern(error.pattern), at: range)
    }
  }
}
