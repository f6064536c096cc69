/// The value of an expression in memory: a plain value, an object or a collection.
public enum EvaluatedValue: Sendable {
  /// A plain value.
  case value(DataValue)
  /// An object.
  case object(any PredicateObject)
  /// Ordered members: an ordered to-many relationship or a list.
  case list([EvaluatedValue])
  /// Unordered members: a to-many relationship or the result of UNION.
  case set([EvaluatedValue])
  /// A dictionary. The value of a missing key is null.
  case dictionary([String: EvaluatedValue])

  /// The null value.
  public static let null = EvaluatedValue.value(.null)

  /// Whether the value is null.
  public var isNull: Bool {
    if case .value(.null) = self { true } else { false }
  }

  /// The members of a collection or the values of a dictionary; nil for other values.
  public var members: [EvaluatedValue]? {
    switch self {
    case .list(let members), .set(let members): members
    case .dictionary(let values): Array(values.values)
    case .value, .object: nil
    }
  }

  /// The type of the value as a noun for messages, such as "text" or "an object".
  var noun: String {
    switch self {
    case .value(let value): value.kind?.rawValue ?? "nothing"
    case .object: "an object"
    case .list, .set: "a collection"
    case .dictionary: "a dictionary"
    }
  }

  /// Returns a list with other members if this value is a list, otherwise a set.
  func replacingMembers(_ members: [EvaluatedValue]) -> EvaluatedValue {
    if case .list = self { .list(members) } else { .set(members) }
  }

  /// Returns whether two values are equal. Null equals null; the evaluator decides what this means for a condition.
  ///
  /// - Parameter asStored: whether values of different kinds are compared as a store contains them. A date then equals
  ///   the number of its seconds. Otherwise, values of different kinds aren't equal.
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

extension DataValue {
  fileprivate func equals(_ other: DataValue, folding: TextFolding, asStored: Bool) -> Bool {
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

  /// Returns the members without duplicates, each at its first position.
  func distinct(asStored: Bool) -> [EvaluatedValue] {
    var seen = MemberSet(asStored: asStored)
    return filter { seen.insert($0) }
  }
}

/// An object whose properties a predicate can read, such as a row or a managed object.
public protocol PredicateObject: Sendable {
  /// Returns the value of a property: null if it doesn't have a value, nil if the property doesn't exist.
  ///
  /// A to-one relationship is an object or null. A to-many relationship is a list or a set, which may be empty.
  ///
  /// - Parameter key: the name of the property.
  /// - Returns: the value, or nil for an unknown property.
  func value(forKey key: String) -> EvaluatedValue?

  /// The name of the object's entity, which `entity == "Item"` compares. Nil for an object without an entity.
  var entityName: String? { get }

  /// The identity of the object. Nil for an object without identity, which isn't equal to any object.
  var objectID: ObjectID? { get }

  /// Returns whether `id` identifies this object. The ID may contain an entity from which the object's entity inherits.
  /// Only the object knows these entities.
  ///
  /// - Parameter id: an object ID in the predicate or of another object.
  /// - Returns: whether this object has that ID.
  func isNamed(by id: ObjectID) -> Bool

  /// Returns whether a key path from this object passes through a to-many relationship.
  ///
  /// It is called only with `NullLogic.sql`, for a path whose first key is null. If it returns true, the value of the
  /// path is an empty collection, otherwise NULL.
  ///
  /// - Parameter keys: the keys of the path.
  /// - Returns: whether one of them is a to-many relationship.
  func leadsThroughToMany(_ keys: [String]) -> Bool

  /// Returns whether a null for this key is a missing object, rather than an attribute without a value. A missing
  /// object isn't a member of a collection. The function is called only with `NullLogic.sql`.
  ///
  /// - Parameter key: the name of the property.
  /// - Returns: whether the property is a relationship.
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
  /// Returns whether both IDs identify the same row. An ID without a store matches any store.
  func matches(_ other: ObjectID) -> Bool {
    primaryKey == other.primaryKey && entity == other.entity
      && (store == nil || other.store == nil || store == other.store)
  }
}
