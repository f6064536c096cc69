import StoreModel
import StorePredicate

/// A small model with one of everything that a key path can contain.
enum TodoModel {
  static let model = Model(
    name: "Todo", entities: [item, task, list, tag],
    composites: [
      Composite(
        name: "Place",
        attributes: [
          Attribute(name: "city", type: .string), Attribute(name: "latitude", type: .double),
        ])
    ])

  private static let item = Entity(
    name: "Item",
    attributes: [
      Attribute(name: "title", type: .string), Attribute(name: "priority", type: .integer16),
      Attribute(name: "ratio", type: .float), Attribute(name: "price", type: .decimal),
      Attribute(name: "done", type: .boolean), Attribute(name: "createdAt", type: .date),
      Attribute(name: "code", type: .uuid), Attribute(name: "site", type: .uri),
      Attribute(name: "place", type: .composite("Place")),
      Attribute(name: "isLate", type: .boolean, isTransient: true),
      Attribute(name: "anything", type: .transformable),
    ],
    relationships: [
      Relationship(name: "list", destination: "List", inverse: "items"),
      Relationship(
        name: "tags", destination: "Tag", inverse: "items", cardinality: .toMany(ordered: false)),
    ],
    fetchedProperties: [
      FetchedProperty(
        name: "siblings", request: FetchRequestTemplate(name: "siblings", entity: "Item"))
    ])

  private static let task = Entity(
    name: "Task", parent: "Item", attributes: [Attribute(name: "effort", type: .integer32)])

  private static let list = Entity(
    name: "List", attributes: [Attribute(name: "title", type: .string)],
    relationships: [
      Relationship(
        name: "items", destination: "Item", inverse: "list", cardinality: .toMany(ordered: true))
    ])

  private static let tag = Entity(
    name: "Tag", attributes: [Attribute(name: "name", type: .string)],
    relationships: [
      Relationship(
        name: "items", destination: "Item", inverse: "tags", cardinality: .toMany(ordered: false))
    ])
}
