import StorePredicate

/// An object with properties, for tests of the evaluator.
struct SampleObject: PredicateObject {
  var entity = "Item"
  var key: Int64 = 1
  /// The names of entities to which the object belongs.
  var ancestors: [String] = []
  var properties: [String: EvaluatedValue] = [:]
  /// The paths that contain a to-many relationship.
  var toManyPaths: [[String]] = []

  var entityName: String? { entity }
  var objectID: ObjectID? { ObjectID(store: nil, entity: entity, primaryKey: key) }

  func value(forKey key: String) -> EvaluatedValue? { properties[key] }

  func isNamed(by id: ObjectID) -> Bool {
    id.primaryKey == key && (id.entity == entity || ancestors.contains(id.entity))
  }

  func leadsThroughToMany(_ keys: [String]) -> Bool { toManyPaths.contains(keys) }
}

extension EvaluatedValue {
  static func text(_ text: String) -> EvaluatedValue { .value(.string(text)) }
  static func number(_ number: Int64) -> EvaluatedValue { .value(.integer(number)) }
  static func real(_ number: Double) -> EvaluatedValue { .value(.double(number)) }
}
