import Foundation
package import StorePredicate

/// An entry of `corpus/predicates/datasets.json`: rows for the conformance cases.
package final class Dataset: Decodable, Sendable {
  package struct Entity: Decodable, Sendable {
    package struct Relationship: Decodable, Sendable {
      package var dest: String
      package var toMany: Bool
      package var ordered: Bool?
      package var inverse: String?
    }

    package var attributes: [String: String]
    package var relationships: [String: Relationship]
    package var parent: String?
  }

  package typealias Row = [String: ConformanceCase.Argument]

  package let entities: [String: Entity]
  package let rows: [String: [Row]]

  package static func all() throws -> [String: Dataset] {
    let file = Corpus.root.appendingPathComponent("predicates/datasets.json")
    return try JSONDecoder().decode([String: Dataset].self, from: Data(contentsOf: file))
  }

  /// The names of an entity and its descendants.
  package func subtree(of name: String) -> [String] {
    [name]
      + entities.keys.sorted().filter { entities[$0]?.parent == name }.flatMap(subtree)
  }

  /// The rows of `entity` and its descendants, by their names.
  package func objects(of entity: String) -> [(id: String, object: EvaluatedValue)] {
    subtree(of: entity).flatMap(ownObjects).map { object in
      (object.name, object.row["$self"].map(value) ?? .object(object))
    }
  }

  /// The rows of an entity, without its descendants' rows.
  package func ownObjects(of entity: String) -> [DatasetObject] {
    (rows[entity] ?? []).indices.map { DatasetObject(dataset: self, entity: entity, index: $0) }
  }

  package func object(named id: String, of entity: String) -> DatasetObject? {
    for name in subtree(of: entity) {
      if let index = (rows[name] ?? []).firstIndex(where: { DatasetObject.name(of: $0) == id }) {
        return DatasetObject(dataset: self, entity: name, index: index)
      }
    }
    return nil
  }

  package func objectID(of id: String, in entity: String) -> ObjectID? {
    object(named: id, of: entity)?.objectID
  }

  /// The number of rows of all entities that inherit from one, because they share a table.
  func key(of entity: String, at index: Int) -> Int64 {
    var root = entity
    while let parent = entities[root]?.parent { root = parent }
    let before = subtree(of: root).prefix { $0 != entity }
    return Int64(before.reduce(index + 1) { $0 + (rows[$1]?.count ?? 0) })
  }

  package func value(_ argument: ConformanceCase.Argument) -> EvaluatedValue {
    switch argument {
    case .value(let value): .value(value)
    case .list(let members): .list(members.map(value))
    case .dictionary(let values): .dictionary(values.mapValues(value))
    case .reference(let entity, let id):
      object(named: id, of: entity).map { .object($0) } ?? .null
    }
  }
}

/// A row with its entity's properties.
package struct DatasetObject: PredicateObject {
  package let dataset: Dataset
  package let entity: String
  package let index: Int

  package var row: Dataset.Row { dataset.rows[entity]?[index] ?? [:] }
  package var name: String { Self.name(of: row) }
  package var entityName: String? { entity }

  package var objectID: ObjectID? {
    ObjectID(store: nil, entity: entity, primaryKey: dataset.key(of: entity, at: index))
  }

  static func name(of row: Dataset.Row) -> String {
    if case .value(.string(let id))? = row["id"] { id } else { "" }
  }

  package func value(forKey key: String) -> EvaluatedValue? {
    for entity in lineage {
      if let type = entity.attributes[key] { return attribute(key, type) }
      if let relationship = entity.relationships[key] { return related(key, relationship) }
    }
    // A sub-entity's attribute can be used together with a test of the entity.
    let below = dataset.entities.values.filter { $0.parent != nil }
    return below.contains { $0.attributes[key] != nil } ? .null : nil
  }

  /// The entity and its ancestors.
  private var lineage: [Dataset.Entity] {
    var result: [Dataset.Entity] = []
    var name: String? = entity
    while let next = name.flatMap({ dataset.entities[$0] }) {
      result.append(next)
      name = next.parent
    }
    return result
  }

  private func attribute(_ key: String, _ type: String) -> EvaluatedValue {
    guard let value = row[key].map(dataset.value) else { return .null }
    let isReal = ["double", "float", "decimal"].contains { type.hasPrefix($0) }
    if isReal, case .value(.integer(let number)) = value { return .value(.double(Double(number))) }
    return value
  }

  private func related(
    _ key: String, _ relationship: Dataset.Entity.Relationship
  ) -> EvaluatedValue {
    switch row[key] {
    case .value(.string(let id))?:
      return dataset.object(named: id, of: relationship.dest).map { .object($0) } ?? .null
    case .list(let members)?:
      let objects = members.compactMap { member -> EvaluatedValue? in
        guard case .value(.string(let id)) = member else { return nil }
        return dataset.object(named: id, of: relationship.dest).map { .object($0) }
      }
      return relationship.ordered == true ? .list(objects) : .set(objects)
    default: return relationship.toMany ? .set([]) : .null
    }
  }

  package func leadsToObject(_ key: String) -> Bool {
    lineage.contains { $0.relationships[key] != nil }
  }

  package func leadsThroughToMany(_ keys: [String]) -> Bool {
    var names = [entity]
    for key in keys {
      let relationship = names.compactMap { dataset.entities[$0]?.relationships[key] }.first
      guard let relationship else { return false }
      if relationship.toMany { return true }
      names = dataset.subtree(of: relationship.dest)
    }
    return false
  }
}
