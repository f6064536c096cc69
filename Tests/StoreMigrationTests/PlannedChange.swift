import StoreModel
import StorePredicate
import Testing

/// One change between two small models, with a name that describes it.
struct PlannedChange: CustomTestStringConvertible, Sendable {
  var name: String
  var source: DataModel
  var target: DataModel

  var testDescription: String { name }

  init(_ name: String, _ source: [EntityDescription], _ target: [EntityDescription]) {
    self.name = name
    self.source = DataModel(name: "Old", entities: source)
    self.target = DataModel(name: "New", entities: target)
  }

  static let all: [PlannedChange] = attributes + entities + relationships + hierarchy

  // MARK: Attributes

  private static let attributes: [PlannedChange] = [
    .init("nothing", [item()], [item()]),
    .init("optional attribute", [item()], [item(attribute("note"))]),
    .init(
      "attribute with default", [item()],
      [item(attribute("priority", .integer16, isOptional: false, default: .integer(3)))]),
    .init("attribute removed", [item(attribute("note"))], [item()]),
    .init(
      "five attributes removed",
      [item(attribute("a"), attribute("b"), attribute("c"), attribute("d"), attribute("e"))],
      [item()]),
    .init("attribute renamed", [item(attribute("note"))], [item(attribute("text", id: "note"))]),
    .init(
      "required with default", [item(attribute("note"))],
      [item(attribute("note", isOptional: false, default: .string("none")))]),
    .init(
      "wider integer", [item(attribute("size", .integer16))], [item(attribute("size", .integer64))]),
    .init(
      "integer to double", [item(attribute("size", .integer32))], [item(attribute("size", .double))]
    ),
    .init(
      "date to text", [item(attribute("made", .date))], [item(attribute("made", .string))]),
    .init("uuid to text", [item(attribute("ident", .uuid))], [item(attribute("ident", .string))]),
    .init(
      "index", [item(attribute("note"))],
      [item(AttributeDescription(name: "note", type: .string, isOptional: true, isIndexed: true))]),
    .init(
      "partial index", [item(attribute("size", .integer16))],
      [
        EntityDescription(
          name: "Item", attributes: [attribute("size", .integer16), attribute("title")],
          indexes: [
            FetchIndex(
              name: "large", elements: [.init(.property("title"))], partialPredicate: "size > 10")
          ])
      ]),
    .init(
      "indexed attribute renamed",
      [item(AttributeDescription(name: "note", type: .string, isOptional: true, isIndexed: true))],
      [
        item(
          AttributeDescription(
            name: "text", type: .string, isOptional: true, isIndexed: true,
            renamingIdentifier: "note"))
      ]),
    .init(
      "external storage on",
      [item(attribute("data", .binary))],
      [
        item(
          AttributeDescription(
            name: "data", type: .binary, isOptional: true, allowsExternalStorage: true))
      ]),
    .init(
      "external storage off",
      [
        item(
          AttributeDescription(
            name: "data", type: .binary, isOptional: true, allowsExternalStorage: true))
      ],
      [item(attribute("data", .binary))]),
  ]

  // MARK: Entities

  private static let entities: [PlannedChange] = [
    .init(
      "entity added", [item()],
      [item(), EntityDescription(name: "Aardvark", attributes: [attribute("x")])]),
    .init("entity removed", [item(), EntityDescription(name: "Aardvark")], [item()]),
    .init(
      "entity renamed", [item(attribute("note"))],
      [
        EntityDescription(
          name: "Task", attributes: [attribute("title"), attribute("note")],
          renamingIdentifier: "Item")
      ]),
    .init(
      "entities that take each other's names",
      [
        EntityDescription(name: "A", attributes: [attribute("x")]),
        EntityDescription(name: "B", attributes: [attribute("y")]),
      ],
      [
        EntityDescription(name: "C", attributes: [attribute("x")], renamingIdentifier: "A"),
        EntityDescription(name: "A", attributes: [attribute("x")]),
      ]),
  ]

  // MARK: Relationships

  private static let relationships: [PlannedChange] = [
    .init(
      "relationship added", pair([], []),
      pair([toOne("owner", "Owner", "items")], [toMany("items", "Item", "owner")])),
    .init(
      "relationship removed",
      pair([toOne("owner", "Owner", "items")], [toMany("items", "Item", "owner")]),
      pair([], [])),
    .init(
      "to-one to many-to-many",
      pair([toOne("owner", "Owner", "items")], [toMany("items", "Item", "owner")]),
      pair([toMany("owners", "Owner", "items", id: "owner")], [toMany("items", "Item", "owners")])),
    .init(
      "many-to-many to to-one",
      pair([toMany("owners", "Owner", "items")], [toMany("items", "Item", "owners")]),
      pair([toOne("owner", "Owner", "items", id: "owners")], [toMany("items", "Item", "owner")])),
    .init(
      "to-many becomes ordered",
      pair([toOne("owner", "Owner", "items")], [toMany("items", "Item", "owner")]),
      pair([toOne("owner", "Owner", "items")], [toMany("items", "Item", "owner", ordered: true)])),
    .init(
      "to-many loses its order",
      pair([toOne("owner", "Owner", "items")], [toMany("items", "Item", "owner", ordered: true)]),
      pair([toOne("owner", "Owner", "items")], [toMany("items", "Item", "owner")])),
    .init(
      "many-to-many becomes ordered",
      pair([toMany("owners", "Owner", "items")], [toMany("items", "Item", "owners")]),
      pair([toMany("owners", "Owner", "items", ordered: true)], [toMany("items", "Item", "owners")])
    ),
    .init(
      "many-to-many renamed",
      pair([toMany("owners", "Owner", "items")], [toMany("items", "Item", "owners")]),
      pair([toMany("people", "Owner", "items", id: "owners")], [toMany("items", "Item", "people")])),
    .init(
      "inverse added to a to-many", pair([], [toMany("items", "Item", nil)]),
      pair([toOne("owner", "Owner", "items")], [toMany("items", "Item", "owner")])),
    .init(
      "inverse removed from a to-many",
      pair([toOne("owner", "Owner", "items")], [toMany("items", "Item", "owner")]),
      pair([], [toMany("items", "Item", nil)])),
  ]

  // MARK: Hierarchy

  private static let hierarchy: [PlannedChange] = [
    .init(
      "parent added",
      [
        EntityDescription(name: "Cat", attributes: [attribute("name")]),
        EntityDescription(name: "Dog", attributes: [attribute("name")]), link("Cat"),
      ],
      [
        EntityDescription(name: "Animal", isAbstract: true, attributes: [attribute("name")]),
        EntityDescription(name: "Cat", parent: "Animal"),
        EntityDescription(name: "Dog", parent: "Animal"), link("Cat"),
      ]),
    .init(
      "parent removed",
      [
        EntityDescription(name: "Animal", attributes: [attribute("name")]),
        EntityDescription(name: "Cat", parent: "Animal"),
        EntityDescription(name: "Dog", parent: "Animal"),
        link("Animal"),
      ],
      [
        EntityDescription(name: "Animal", attributes: [attribute("name")]),
        EntityDescription(name: "Cat", parent: "Animal"),
        EntityDescription(name: "Dog", attributes: [attribute("name")]),
        link("Animal"),
      ]),
    .init(
      "sub-entity removed",
      [
        EntityDescription(name: "Animal", attributes: [attribute("name")]),
        EntityDescription(
          name: "Cat", parent: "Animal", attributes: [attribute("lives", .integer16)]),
        link("Animal"),
      ], [EntityDescription(name: "Animal", attributes: [attribute("name")]), link("Animal")]),
    .init(
      "attribute pulled up",
      [
        EntityDescription(name: "Animal"),
        EntityDescription(name: "Cat", parent: "Animal", attributes: [attribute("name")]),
        EntityDescription(name: "Dog", parent: "Animal", attributes: [attribute("name")]),
      ],
      [
        EntityDescription(name: "Animal", attributes: [attribute("name")]),
        EntityDescription(name: "Cat", parent: "Animal"),
        EntityDescription(name: "Dog", parent: "Animal"),
      ]),
  ]

  // MARK: Parts of models

  private static func attribute(
    _ name: String, _ type: AttributeType = .string, isOptional: Bool = true,
    default value: DataValue? = nil, id: String? = nil
  ) -> AttributeDescription {
    AttributeDescription(
      name: name, type: type, isOptional: isOptional, defaultValue: value, renamingIdentifier: id)
  }

  private static func item(_ more: AttributeDescription...) -> EntityDescription {
    EntityDescription(name: "Item", attributes: [attribute("title")] + more)
  }

  private static func pair(_ item: [RelationshipDescription], _ owner: [RelationshipDescription])
    -> [EntityDescription]
  {
    [
      EntityDescription(name: "Item", attributes: [attribute("title")], relationships: item),
      EntityDescription(name: "Owner", attributes: [attribute("name")], relationships: owner),
    ]
  }

  /// Returns an entity outside of a hierarchy that references it.
  private static func link(_ destination: String) -> EntityDescription {
    EntityDescription(
      name: "Link",
      relationships: [
        RelationshipDescription(name: "animal", destination: destination, isOptional: true),
        toMany("animals", destination, nil),
      ])
  }

  private static func toOne(
    _ name: String, _ destination: String, _ inverse: String?, id: String? = nil
  ) -> RelationshipDescription {
    RelationshipDescription(
      name: name, destination: destination, inverse: inverse, isOptional: true,
      renamingIdentifier: id)
  }

  private static func toMany(
    _ name: String, _ destination: String, _ inverse: String?, ordered: Bool = false,
    id: String? = nil
  ) -> RelationshipDescription {
    RelationshipDescription(
      name: name, destination: destination, inverse: inverse,
      cardinality: .toMany(ordered: ordered), isOptional: true, renamingIdentifier: id)
  }
}
