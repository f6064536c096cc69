import StoreDiagnostics
import SQLiteAccess
import PredicateSQL
import StoreLayout
import Foundation
import StoreCore
import StoreModel
import StorePredicate

/// An empty store, with which SQLite compiles the SQL of predicates.
struct SampleStore {
  let layout: StoreLayout
  private let store: Store
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let path = folder.appendingPathComponent("Sample.sqlite").path
    _ = try Store.create(at: LocalPath(path), for: Self.model)
    store = try Store.open(LocalPath(path), .reading)
    layout = try store.layout(for: Self.model)
  }

  func run(_ query: CompiledQuery) throws {
    try store.read { _ = try $0.rows(query.sql) }
  }

  func remove() {
    do {
      try store.close()
      try FileManager.default.removeItem(at: folder)
    } catch {
      print("the sample store stays in \(folder.path): \(error)")
    }
  }

  /// A model with one of everything that a key path can contain.
  static let model = DataModel(
    name: "Sample", entities: [item, task, list, tag],
    composites: [
      CompositeDescription(
        name: "Place",
        attributes: [
          AttributeDescription(name: "city", type: .string),
          AttributeDescription(name: "latitude", type: .double),
          AttributeDescription(name: "longitude", type: .double),
        ])
    ])

  private static let item = EntityDescription(
    name: "Item",
    attributes: [
      AttributeDescription(name: "title", type: .string),
      AttributeDescription(name: "priority", type: .integer16),
      AttributeDescription(name: "ratio", type: .float),
      AttributeDescription(name: "price", type: .decimal),
      AttributeDescription(name: "done", type: .boolean),
      AttributeDescription(name: "createdAt", type: .date),
      AttributeDescription(name: "code", type: .uuid),
      AttributeDescription(name: "site", type: .uri),
      AttributeDescription(name: "photo", type: .binary),
      AttributeDescription(name: "anything", type: .transformable),
      AttributeDescription(name: "place", type: .composite("Place")),
      AttributeDescription(name: "isLate", type: .boolean, isTransient: true),
    ],
    relationships: [
      RelationshipDescription(name: "list", destination: "List", inverse: "items"),
      RelationshipDescription(
        name: "tags", destination: "Tag", inverse: "items", cardinality: .toMany(ordered: false)),
      RelationshipDescription(name: "parent", destination: "Item", inverse: "steps"),
      RelationshipDescription(
        name: "steps", destination: "Item", inverse: "parent", cardinality: .toMany(ordered: true)),
    ])

  private static let task = EntityDescription(
    name: "Task", parent: "Item",
    attributes: [AttributeDescription(name: "effort", type: .integer32)])

  private static let list = EntityDescription(
    name: "List", attributes: [AttributeDescription(name: "title", type: .string)],
    relationships: [
      RelationshipDescription(
        name: "items", destination: "Item", inverse: "list", cardinality: .toMany(ordered: true))
    ])

  private static let tag = EntityDescription(
    name: "Tag", attributes: [AttributeDescription(name: "name", type: .string)],
    relationships: [
      RelationshipDescription(
        name: "items", destination: "Item", inverse: "tags", cardinality: .toMany(ordered: false))
    ])

  /// Returns a value for a variable.
  static func value(of type: ValueType) -> FormatExpression {
    switch type {
    case .any: .value(.string("x"))
    case .object(let entity):
      .value(.objectID(ObjectID(store: nil, entity: entity, primaryKey: 1)))
    case .entity: .value(.null)
    case .collection(let element): FormatExpression(.list([value(of: element)]))
    case .attribute(let type):
      switch type {
      case .integer16, .integer32, .integer64: .value(.integer(1))
      case .decimal, .double, .float: .value(.double(1.5))
      case .boolean: .value(.boolean(true))
      case .date: .value(.date(0))
      case .uuid: .value(.null)
      case .binary: .value(.binary([1]))
      case .string, .uri, .undefined, .transformable, .objectID, .composite: .value(.string("x"))
      }
    }
  }
}

/// An object of that model, whose relationships lead back to it. A to-many relationship has one member, because with
/// two members, nested SUBQUERYs would double the work at each level.
struct SampleItem: PredicateObject {
  var objectID: ObjectID? { ObjectID(store: nil, entity: "Item", primaryKey: 1) }
  var entityName: String? { "Item" }

  static let variables: [String: EvaluatedValue] = [
    "TEXT": .value(.string("é")), "N": .value(.integer(2)), "LIST": .object(SampleItem()),
    "TAG": .null, "FETCH_SOURCE": .object(SampleItem()), "x": .list([.value(.integer(1)), .null]),
  ]

  func value(forKey key: String) -> EvaluatedValue? {
    switch key {
    case "title", "city", "name": .value(.string("Aé😀"))
    case "priority": .value(.integer(.min))
    case "ratio", "price", "latitude", "longitude": .value(.double(1.5))
    case "done": .value(.boolean(true))
    case "createdAt": .value(.date(0))
    case "photo": .value(.binary([1, 2]))
    case "code", "site", "anything", "parent": .null
    case "list", "place": .object(SampleItem())
    case "tags": .set([.object(SampleItem())])
    case "items", "steps": .list([.object(SampleItem())])
    default: nil
    }
  }

  func leadsThroughToMany(_ keys: [String]) -> Bool {
    keys.contains { ["tags", "items", "steps"].contains($0) }
  }
}
