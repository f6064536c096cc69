import SampleData
import SeededRandom
import SQLiteAccess
import StoreLayout
import StoreModel
import StorePredicate

/// One random graph of `GraphModel` in two forms: rows of a store in memory, and objects.
///
/// Its values are few and often missing, so that many predicates match some of the objects.
final class SampleGraph: Sendable {
  static let model = GraphModel.model
  static let layout = StoreLayout(model: model)
  static let storeUUID = "6F9619FF-8B86-4011-B42D-00CF4FC964FF"
  static let entities = model.entities.map(\.name)

  let objects: [SampleGraphObject.Content]
  private let graph: RandomGraph

  init(seed: UInt64) {
    var graph = RandomGraph(seed: seed, count: 8)
    var generator = SeededGenerator(seed: seed &+ 0xDA7A)
    let keys = graph.primaryKeys(in: Self.layout)
    graph.separateSomePairs(&generator)
    objects = graph.objects.indices.map { index in
      let object = graph.objects[index]
      let values = Self.values(of: object.entity, &generator)
      graph.objects[index].values = values.reduce(into: [:]) { row, member in
        row[member.key] = ("", Self.stored(member.value, member.key))
      }
      return SampleGraphObject.Content(
        entity: object.entity, primaryKey: keys[index], values: values, toOne: object.toOne,
        toMany: object.toMany)
    }
    self.graph = graph
  }

  /// Creates the database of the store.
  func makeDatabase() throws -> MemoryDatabase {
    let database = try MemoryDatabase()
    try database.inside { connection in
      for statement in Self.layout.statements { try connection.define(statement) }
      try graph.insert(into: connection, Self.layout)
    }
    return database
  }

  /// Returns the objects in memory that a fetch of an entity evaluates.
  func objects(of entity: String) -> [SampleGraphObject] {
    let names = Set(SampleModelPaths.subtree(of: entity))
    return objects.indices.filter { names.contains(objects[$0].entity) }
      .map { SampleGraphObject(graph: self, index: $0) }
      .sorted { $0.content.primaryKey < $1.content.primaryKey }
  }

  func object(_ id: ObjectID) -> SampleGraphObject? {
    objects.indices.lazy.map { SampleGraphObject(graph: self, index: $0) }
      .first { $0.isNamed(by: id) }
  }

  private static func values(
    of entity: String, _ generator: inout SeededGenerator
  ) -> [String: DataValue] {
    guard let entity = model.entity(named: entity) else { return [:] }
    var values: [String: DataValue] = [:]
    for (path, type) in SampleModelPaths.attributes(of: entity) {
      let isMissing = Int.random(in: 0..<4, using: &generator) == 0
      let value = SampleValues.values(of: type).randomElement(using: &generator) ?? .null
      values[path] = isMissing ? .null : value
    }
    return values
  }

  /// Returns the stored value. Bytes of attributes that allow external storage begin with a mark.
  private static func stored(_ value: DataValue, _ name: String) -> SQLiteValue {
    guard name == "photo", case .binary(let bytes) = value else { return SQLiteValue(value) }
    return .blob([1] + bytes)
  }
}

extension RandomGraph {
  /// Removes some pairs, because otherwise every person would have a passport and a spouse.
  fileprivate mutating func separateSomePairs(_ generator: inout SeededGenerator) {
    for index in indexes(of: "Person") {
      for (name, inverse) in [("passport", "holder"), ("spouse", "spouse")]
      where Int.random(in: 0..<4, using: &generator) == 0 {
        guard let other = objects[index].toOne.removeValue(forKey: name) else { continue }
        objects[other].toOne[inverse] = nil
      }
    }
  }
}

/// An object of a `SampleGraph` for the evaluator.
struct SampleGraphObject: PredicateObject {
  struct Content: Sendable {
    var entity: String
    var primaryKey: Int64
    /// Values by path. The path of a composite's element consists of two keys.
    var values: [String: DataValue]
    /// Indexes in the graph.
    var toOne: [String: Int]
    var toMany: [String: [Int]]
  }

  let graph: SampleGraph
  let index: Int

  var content: Content { graph.objects[index] }
  var entityName: String? { content.entity }

  var objectID: ObjectID? {
    ObjectID(
      store: SampleGraph.storeUUID, entity: content.entity, primaryKey: content.primaryKey)
  }

  func isNamed(by id: ObjectID) -> Bool {
    id.primaryKey == content.primaryKey
      && (id.store ?? SampleGraph.storeUUID) == SampleGraph.storeUUID
      && SampleModelPaths.lineage(of: content.entity).contains(id.entity)
  }

  func value(forKey key: String) -> EvaluatedValue? {
    if let value = content.values[key] { return .value(value) }
    guard let property = SampleModelPaths.property(key, of: content.entity) else { return nil }
    switch property {
    case .attribute, .fetched:
      let elements = content.values.filter { $0.key.hasPrefix(key + ".") }
      return .dictionary(
        elements.reduce(into: [:]) { composite, element in
          composite[String(element.key.dropFirst(key.count + 1))] = .value(element.value)
        })
    case .relationship(let relationship):
      guard relationship.isToMany else { return content.toOne[key].map(object) ?? .null }
      let members = (content.toMany[key] ?? []).map(object)
      return relationship.isOrdered ? .list(members) : .set(members)
    }
  }

  func leadsThroughToMany(_ keys: [String]) -> Bool {
    SampleModelPaths.leadsThroughToMany(keys, from: content.entity)
  }

  func leadsToObject(_ key: String) -> Bool {
    if case .relationship? = SampleModelPaths.property(key, of: content.entity) {
      true
    } else {
      false
    }
  }

  private func object(_ index: Int) -> EvaluatedValue {
    .object(SampleGraphObject(graph: graph, index: index))
  }
}
