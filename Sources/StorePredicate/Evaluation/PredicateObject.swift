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
