#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Evaluates predicates for objects in memory, without a store.
///
///     var evaluator = PredicateEvaluator(nulls: .sql)
///     let matches = try rows.filter { row in try evaluator.matches(predicate, .object(row)) }
///
/// Use one evaluator for many objects, because it caches the compiled patterns of operators such as LIKE and MATCHES.
public struct PredicateEvaluator: Sendable {
  /// The result of a comparison between a missing value and another value.
  public enum NullLogic: Hashable, Sendable, CaseIterable {
    /// False, as in Foundation. `!=` and NOT match objects without a value.
    case memory
    /// Unknown, as in the store. Neither such a comparison nor its NOT matches objects without a value.
    case sql
  }

  /// The logic for missing values.
  public let nulls: NullLogic
  /// The value of `now()` for all objects, in seconds since 2001-01-01 00:00 UTC.
  public var now: Double
  /// The values of variables that aren't bound by a SUBQUERY.
  public var variables: [String: EvaluatedValue]
  /// Returns the object with an ID, or nil if the object is unknown. The evaluator calls it for key paths that begin at
  /// an object ID: `SELF IN %@.friends`. By default, all objects are unknown.
  public var object: @Sendable (ObjectID) -> (any PredicateObject)? = { _ in nil }

  /// The value of `SELF`.
  var root = EvaluatedValue.null
  /// The current members of the enclosing SUBQUERYs, by variable.
  var elements: [String: EvaluatedValue] = [:]
  var patterns = PatternCache()
  private var depth = 0

  /// The maximum depth of recursion, so that a deep tree that was created in code doesn't overflow the stack. It is
  /// more than twice the parser's limit.
  static let depthLimit = 200

  /// Creates an evaluator. `now()` is the current time.
  ///
  /// - Parameters:
  ///   - nulls: the logic for missing values.
  ///   - variables: the values of variables.
  public init(nulls: NullLogic, variables: [String: EvaluatedValue] = [:]) {
    self.nulls = nulls
    self.variables = variables
    now = Date.timeIntervalSinceReferenceDate
  }

  /// Returns whether the predicate is true for an object. If the result is unknown, the object doesn't match.
  ///
  /// - Parameters:
  ///   - predicate: the condition.
  ///   - object: the value of `SELF`.
  /// - Returns: true if the object matches.
  /// - Throws: `EvaluationError` if the predicate doesn't fit the object, as with an unknown key or an invalid pattern.
  public mutating func matches(
    _ predicate: FormatPredicate, _ object: EvaluatedValue
  ) throws(EvaluationError) -> Bool {
    begin(with: object)
    return try truth(of: predicate) == .yes
  }

  /// Returns the value of an expression for an object.
  ///
  /// - Parameters:
  ///   - expression: the expression.
  ///   - object: the value of `SELF`.
  /// - Returns: the value, which may be null.
  /// - Throws: `EvaluationError` if the expression doesn't fit the object, as with an unknown key.
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

  /// Limits the depth of recursion. All recursive steps call this function.
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

  /// Returns the result of AND, without evaluating the members after the first false one. With SQL's logic, an unknown
  /// key isn't an error if another member is false, before or after it: `effort > 3 AND entity == 'Task'`.
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

  /// Returns the result of OR, without evaluating the members after the first true one.
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

/// A cache of compiled text patterns, which are matched against the texts of many objects.
struct PatternCache: Sendable {
  private struct Key: Hashable {
    var test: TextMatcher.Test
    /// Bytes, because a `String` treats composed and decomposed characters as equal.
    var pattern: [UInt8]
    var options: FormatComparison.Options
  }

  private var matchers: [Key: TextMatcher] = [:]

  /// The maximum number of patterns. It limits the memory if the pattern is an attribute, which differs for each
  /// object.
  private static let capacity = 64

  mutating func matcher(
    _ test: TextMatcher.Test, _ pattern: String, options: FormatComparison.Options
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
  /// Returns the value of `FUNCTION(receiver, 'selector:', …)`. The supported methods are the cases of `TextMethod`,
  /// and `count`, `valueForKey:` and `objectForKey:`.
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

  /// Returns the result of a string's method. Returns nil if the receiver isn't a string, the method is unknown, or the
  /// arguments don't fit.
  private static func call(
    _ selector: String, of target: EvaluatedValue, _ arguments: [EvaluatedValue]
  ) -> DataValue? {
    guard case .value(.string(let text)) = target, let method = TextMethod(rawValue: selector),
      arguments.count < 2
    else { return nil }
    guard let argument = arguments.first else { return method.call(on: text, nil) }
    guard case .value(let value) = argument else { return nil }
    return method.call(on: text, value)
  }

  /// Returns the result of `x IN {…}`, `x IN tags.name` or `'a' IN name`. For `tags CONTAINS x`, `x` is the member.
  ///
  /// - Parameter expression: the expression of the collection.
  mutating func membership(
    of member: EvaluatedValue, in collection: EvaluatedValue, written expression: FormatExpression,
    _ options: FormatComparison.Options, at range: TextRange
  ) throws(EvaluationError) -> Truth {
    if case .value(.string(let text)) = collection {
      return try contains(text, member, options, at: range)
    }
    guard let members = collection.members else {
      guard collection.isNull else {
        throw EvaluationError(
          .expectedCollection(found: collection.noun), at: expression.range)
      }
      // A literal nil has no members. A NULL attribute is a text whose value is unknown.
      return expression.kind == .constant(.null) ? .no : unknown
    }
    if members.isEmpty { return .no }
    let isListed = isListed(expression)
    if member.isNull { return isListed ? unknown : .no }
    let folding = TextFolding(options)
    if members.contains(member, folding: folding, asStored: asStored) { return .yes }
    return isListed && members.contains(where: \.isNull) ? unknown : .no
  }

  /// Returns whether the expression lists its members, instead of being a collection of rows. In SQL, a NULL in a list
  /// can make the result unknown. For a collection, SQL tests whether an equal row exists, which is true or false.
  private func isListed(_ expression: FormatExpression) -> Bool {
    switch expression.kind {
    case .list: true
    case .variable(let name): elements[name] == nil
    case .constant, .selfObject, .keyPath, .arithmetic, .negated, .function, .method, .cast,
      .ternary, .subquery, .set, .element:
      false
    }
  }

  /// Returns the result of IN with a text on the right side, which tests for a substring.
  private mutating func contains(
    _ text: String, _ part: EvaluatedValue, _ options: FormatComparison.Options, at range: TextRange
  ) throws(EvaluationError) -> Truth {
    if part.isNull { return unknown }
    return Truth(try match(text, .contains, self.text(part, at: range), options, at: range))
  }

  /// Returns the result of CONTAINS, BEGINSWITH, ENDSWITH, LIKE or MATCHES for two texts.
  mutating func text(
    _ left: EvaluatedValue, _ right: EvaluatedValue, _ comparison: FormatComparison
  ) throws(EvaluationError) -> Truth {
    if left.isNull || right.isNull { return unknown }
    let text = try text(left, at: comparison.left.range)
    let pattern = try self.text(right, at: comparison.right.range)
    guard let test = TextMatcher.Test(comparison.operator) else { return .no }
    return Truth(
      try match(text, test, pattern, comparison.options, at: comparison.right.range))
  }

  private mutating func match(
    _ text: String, _ test: TextMatcher.Test, _ pattern: String,
    _ options: FormatComparison.Options,
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
