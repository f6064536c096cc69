/// The value of an expression in memory: a plain value, an object, or several of them.
public enum EvaluatedValue: Sendable {
  case value(Value)
  case object(any PredicateObject)
  /// Ordered members: an ordered to-many, or a list.
  case list([EvaluatedValue])
  /// Unordered members: a to-many, or the result of UNION.
  case set([EvaluatedValue])
  /// A dictionary. A missing key has the value null.
  case dictionary([String: EvaluatedValue])

  /// The null value.
  public static let null = EvaluatedValue.value(.null)

  /// Whether the value is null.
  public var isNull: Bool {
    if case .value(.null) = self { true } else { false }
  }

  /// The members of a collection or the values of a dictionary, or nil for other values.
  public var members: [EvaluatedValue]? {
    switch self {
    case .list(let members), .set(let members): members
    case .dictionary(let values): Array(values.values)
    case .value, .object: nil
    }
  }

  /// The kind of the value for a message, such as "text" or "an object".
  var noun: String {
    switch self {
    case .value(let value): value.kind?.rawValue ?? "nothing"
    case .object: "an object"
    case .list, .set: "a collection"
    case .dictionary: "a dictionary"
    }
  }

  /// Returns a collection of the same kind with other members.
  func replacingMembers(_ members: [EvaluatedValue]) -> EvaluatedValue {
    if case .list = self { .list(members) } else { .set(members) }
  }

  /// Returns whether `==` is true for two values. Null equals null here; the evaluator decides what that means for a
  /// condition.
  ///
  /// - Parameter asStored: whether values of two types are compared as in a store, where a date equals the number of
  ///   its seconds.
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

  /// The members without duplicates, at the position of their first occurrence.
  func distinct(asStored: Bool) -> [EvaluatedValue] {
    var seen = MemberSet(asStored: asStored)
    return filter { seen.insert($0) }
  }
}

/// An object whose keys a predicate can read, such as a row or an object of a model.
public protocol PredicateObject: Sendable {
  /// Returns the value of a property: null if the property has no value, or nil if the property doesn't exist.
  ///
  /// A to-one is an object or null. A to-many is a list or a set, which can be empty.
  func value(forKey key: String) -> EvaluatedValue?

  /// The name that `entity == "Item"` compares, or nil if the object doesn't have an entity.
  var entityName: String? { get }

  /// The identity of the object, or nil if the object isn't equal to any other.
  var objectID: ObjectID? { get }

  /// Returns whether `id` identifies this object. The ID can contain a parent entity of the object's entity.
  func isNamed(by id: ObjectID) -> Bool

  /// Returns whether a key path from this object contains a to-many. Only SQL's logic uses it: there, a to-many of a
  /// missing to-one is empty, but an attribute of a missing to-one is NULL.
  func leadsThroughToMany(_ keys: [String]) -> Bool

  /// Returns whether a null value of this key is a missing object, which isn't a member of a collection, and not an
  /// attribute without a value. Only SQL's logic uses it.
  func leadsToObject(_ key: String) -> Bool
}

extension PredicateObject {
  /// Nil.
  public var entityName: String? { nil }
  /// Nil.
  public var objectID: ObjectID? { nil }
  /// Returns whether the object's ID matches `id`.
  public func isNamed(by id: ObjectID) -> Bool { objectID?.matches(id) ?? false }
  /// Returns false.
  public func leadsThroughToMany(_ keys: [String]) -> Bool { false }
  /// Returns false.
  public func leadsToObject(_ key: String) -> Bool { false }
}

extension ObjectID {
  /// Returns whether two IDs identify the same row. An ID without a store matches any store.
  func matches(_ other: ObjectID) -> Bool {
    primaryKey == other.primaryKey && entity == other.entity
      && (store == nil || other.store == nil || store == other.store)
  }
}
