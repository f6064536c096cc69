import StoreModel
import StorePredicate

/// A small model with one of everything that a key path can contain.
enum TodoModel {
  static let model = DataModel(
    name: "Todo", entities: [item, task, list, tag],
    composites: [
      CompositeDescription(
        name: "Place",
        attributes: [
          AttributeDescription(name: "city", type: .string),
          AttributeDescription(name: "latitude", type: .double),
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
      AttributeDescription(name: "place", type: .composite("Place")),
      AttributeDescription(name: "isLate", type: .boolean, isTransient: true),
      AttributeDescription(name: "anything", type: .transformable),
    ],
    relationships: [
      RelationshipDescription(name: "list", destination: "List", inverse: "items"),
      RelationshipDescription(
        name: "tags", destination: "Tag", inverse: "items", cardinality: .toMany(ordered: false)),
    ],
    fetchedProperties: [
      FetchedProperty(
        name: "siblings", request: FetchRequestTemplate(name: "siblings", entity: "Item"))
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
}
