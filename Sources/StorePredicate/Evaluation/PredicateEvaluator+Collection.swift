extension PredicateEvaluator {
  /// Returns the members for which the condition of `SUBQUERY(collection, $variable, condition)` is true.
  mutating func subquery(
    _ collection: FormatExpression, _ variable: String, _ condition: FormatPredicate
  ) throws(EvaluationError) -> EvaluatedValue {
    let whole = try value(collection)
    let members = try members(of: whole, at: collection.range)
    let outer = elements[variable]
    defer { elements[variable] = outer }
    var found: [EvaluatedValue] = []
    for member in members {
      elements[variable] = member
      if try truth(of: condition) == .yes { found.append(member) }
    }
    return whole.replacingMembers(found)
  }

  /// Returns the result of UNION, INTERSECT or MINUS, which is a set without duplicates.
  mutating func combine(
    _ operation: SetOperator, _ left: FormatExpression, _ right: FormatExpression
  ) throws(EvaluationError) -> EvaluatedValue {
    let first = try members(of: value(left), at: left.range)
    let second = try members(of: value(right), at: right.range)
    let shared = MemberSet(second, asStored: asStored)
    let members =
      switch operation {
      case .union: first + second
      case .intersect: first.filter(shared.contains)
      case .minus: first.filter { !shared.contains($0) }
      }
    return .set(members.distinct(asStored: asStored))
  }

  /// Returns the value of `a[FIRST]`, `a[LAST]`, `a[SIZE]`, `a[n]` or `d['key']`.
  mutating func element(
    _ index: FormatIndex, of collection: FormatExpression
  ) throws(EvaluationError) -> EvaluatedValue {
    let whole = try value(collection)
    switch index {
    case .size: return .value(.integer(Int64(try members(of: whole, at: collection.range).count)))
    case .first: return try ordered(whole, at: collection.range).first ?? .null
    case .last: return try ordered(whole, at: collection.range).last ?? .null
    case .at(let place):
      let index = try value(place)
      if whole.isNull || index.isNull { return .null }
      if case .value(.string(let key)) = index {
        return try follow([KeyPathStep(.key(key), range: place.range)][...], from: whole)
      }
      return try member(index, of: try ordered(whole, at: collection.range), at: place.range)
    }
  }

  private func member(
    _ index: EvaluatedValue, of members: [EvaluatedValue], at range: TextRange
  ) throws(EvaluationError) -> EvaluatedValue {
    guard let index = try number(index, at: range)?.integer else { return .null }
    guard index >= 0, index < members.count else {
      // In SQL, a subselect that doesn't return a row is NULL.
      if nulls == .sql { return .null }
      throw EvaluationError(.indexOutOfRange(index, count: members.count), at: range)
    }
    return members[Int(index)]
  }

  /// Returns the members of a collection, or an empty array for null.
  func members(
    of value: EvaluatedValue, at range: TextRange
  ) throws(EvaluationError) -> [EvaluatedValue] {
    if value.isNull { return [] }
    guard let members = value.members else {
      throw EvaluationError(.expectedCollection(found: value.noun), at: range)
    }
    return members
  }

  private func ordered(
    _ value: EvaluatedValue, at range: TextRange
  ) throws(EvaluationError) -> [EvaluatedValue] {
    switch value {
    case .list(let members): return members
    case .value(.null): return []
    case .set, .dictionary: throw EvaluationError(.unordered, at: range)
    case .value, .object:
      throw EvaluationError(.expectedCollection(found: value.noun), at: range)
    }
  }
}

/// A hash set of values. No two members are equal under the operator `==` of predicates.
struct MemberSet {
  /// A hash key that equal members share. Values without a suitable key share one bucket.
  private enum Bucket: Hashable {
    case number(Double)
    case text(String)
    case object(Int64)
    case other
  }

  private let asStored: Bool
  private var buckets: [Bucket: [EvaluatedValue]] = [:]

  init(_ members: [EvaluatedValue] = [], asStored: Bool) {
    self.asStored = asStored
    for member in members { insert(member) }
  }

  func contains(_ member: EvaluatedValue) -> Bool {
    buckets[Self.bucket(of: member)]?.contains(
      member, folding: TextFolding([]), asStored: asStored) ?? false
  }

  /// Inserts a member. Returns false if the set already contains an equal member.
  @discardableResult
  mutating func insert(_ member: EvaluatedValue) -> Bool {
    guard !contains(member) else { return false }
    buckets[Self.bucket(of: member), default: []].append(member)
    return true
  }

  private static func bucket(of member: EvaluatedValue) -> Bucket {
    switch member {
    case .value(.string(let text)): .text(text)
    case .value(.objectID(let id)): .object(id.primaryKey)
    case .value(let value): value.number.map { .number($0.real) } ?? .other
    case .object(let object): object.objectID.map { .object($0.primaryKey) } ?? .other
    case .list, .set, .dictionary: .other
    }
  }
}
