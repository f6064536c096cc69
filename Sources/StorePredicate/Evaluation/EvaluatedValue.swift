/// What an expression is in memory: a plain value, an object, or many of them.
public enum EvaluatedValue: Sendable {
  case value(Value)
  case object(any PredicateObject)
  /// Members in an order: an ordered to-many, a list.
  case list([EvaluatedValue])
  /// Members in no order: a to-many, the result of UNION.
  case set([EvaluatedValue])
  /// A key that it does not have is nothing, not an error.
  case dictionary([String: EvaluatedValue])

  public static let null = EvaluatedValue.value(.null)

  public var isNull: Bool {
    if case .value(.null) = self { true } else { false }
  }

  /// The members of a collection, the values of a dictionary; nil for what is neither.
  public var members: [EvaluatedValue]? {
    switch self {
    case .list(let members), .set(let members): members
    case .dictionary(let values): Array(values.values)
    case .value, .object: nil
    }
  }

  /// What it is, for a message: "text", "an object".
  var noun: String {
    switch self {
    case .value(let value): value.kind?.rawValue ?? "nothing"
    case .object: "an object"
    case .list, .set: "a collection"
    case .dictionary: "a dictionary"
    }
  }

  /// A collection of the same sort with other members.
  func replacingMembers(_ members: [EvaluatedValue]) -> EvaluatedValue {
    if case .list = self { .list(members) } else { .set(members) }
  }

  /// Whether two values are the same to `==`. Null equals null here: what that means for a condition is
  /// the evaluator's matter.
  ///
  /// - Parameter asStored: whether values of two kinds are held together as a store holds them, so that
  ///   a date equals the number of its seconds.
  func equals(_ other: EvaluatedValue, folding: TextFolding, asStored: Bool) -> Bool {
    func same(_ left: EvaluatedValue, _ right: EvaluatedValue) -> Bool {
      left.equals(right, folding: folding, asStored: asStored)
    }
    switch (self, other) {
    case (.value(let left), .value(let right)):
      return left.equals(right, folding: folding, asStored: asStored)
    case (.object(let left), .object(let right)):
      return right.objectID.map(left.isNamed) ?? false
    case (.object(let object), .value(.objectID(let id))),
      (.value(.objectID(let id)), .object(let object)):
      return object.isNamed(by: id)
    case (.list(let left), .list(let right)):
      return left.count == right.count && zip(left, right).allSatisfy(same)
    case (.list(let left), .set(let right)), (.set(let left), .list(let right)),
      (.set(let left), .set(let right)):
      return left.allSatisfy { member in right.contains { same(member, $0) } }
        && right.allSatisfy { member in left.contains { same(member, $0) } }
    case (.dictionary(let left), .dictionary(let right)):
      return left.count == right.count
        && left.allSatisfy { key, value in right[key].map { same(value, $0) } ?? false }
    case (.value, _), (.object, _), (.list, _), (.set, _), (.dictionary, _): return false
    }
  }
}

extension Value {
  fileprivate func equals(_ other: Value, folding: TextFolding, asStored: Bool) -> Bool {
    if case .objectID(let left) = self, case .objectID(let right) = other {
      return left.matches(right)
    }
    guard self != .null, other != .null else { return self == other }
    guard asStored || kind == other.kind else { return false }
    return order(other, folding: folding) == 0
  }
}

extension [EvaluatedValue] {
  func contains(_ member: EvaluatedValue, folding: TextFolding, asStored: Bool) -> Bool {
    contains { $0.equals(member, folding: folding, asStored: asStored) }
  }

  /// Each member once, at its first place.
  func distinct(asStored: Bool) -> [EvaluatedValue] {
    var seen = MemberSet(asStored: asStored)
    return filter { seen.insert($0) }
  }
}

/// Something whose keys a predicate can read: a row, a model's object, a test's fixture.
public protocol PredicateObject: Sendable {
  /// The value of a property: null when it has none, nil when there is no such property.
  ///
  /// A to-one is an object or null, a to-many a list or a set, empty where it has no members.
  func value(forKey key: String) -> EvaluatedValue?

  /// What `entity == "Item"` asks for; nil for an object without an entity.
  var entityName: String? { get }

  /// What it is told apart from other objects by; nil for an object that equals none.
  var objectID: ObjectID? { get }

  /// Whether this is the object that `id` names. The ID may name it by an entity that it inherits
  /// from, which only the object knows.
  func isNamed(by id: ObjectID) -> Bool

  /// Whether a path that begins here leads through a to-many. Asked in SQL's logic alone, where a
  /// to-many behind a missing to-one is empty, but an attribute behind it NULL.
  func leadsThroughToMany(_ keys: [String]) -> Bool

  /// Whether a null for this key is an object that is not there, and so no member of a collection, rather
  /// than an attribute without a value. Asked in SQL's logic alone.
  func leadsToObject(_ key: String) -> Bool
}

extension PredicateObject {
  public var entityName: String? { nil }
  public var objectID: ObjectID? { nil }
  public func isNamed(by id: ObjectID) -> Bool { objectID?.matches(id) ?? false }
  public func leadsThroughToMany(_ keys: [String]) -> Bool { false }
  public func leadsToObject(_ key: String) -> Bool { false }
}

extension ObjectID {
  /// The same row, where an ID without a store fits any.
  func matches(_ other: ObjectID) -> Bool {
    primaryKey == other.primaryKey && entity == other.entity
      && (store == nil || other.store == nil || store == other.store)
  }
}
