package import StoreModel

/// A model with every type of attribute and every kind of relationship.
package enum GraphModel {
  package static let model = DataModel(
    name: "Graph",
    entities: [
      EntityDescription(
        name: "Being", isAbstract: true,
        attributes: [attribute("key", .string), attribute("note", .string)],
        relationships: [
          // Ordered on both sides.
          SampleModels.toMany("tags", "Tag", inverse: "beings", ordered: true)
        ]),
      EntityDescription(
        name: "Person", parent: "Being", attributes: [attribute("age", .integer16)],
        relationships: [
          toOne("passport", "Passport", inverse: "holder"),
          toOne("spouse", "Person", inverse: "spouse"),
          SampleModels.toMany("things", "Thing", inverse: "owner"),
          // Without an inverse: the table of things contains hidden keys.
          SampleModels.toMany("favourites", "Thing"),
          SampleModels.toMany("keepsakes", "Thing", ordered: true),
          SampleModels.toMany("friends", "Person", inverse: "friends"),
        ]),
      EntityDescription(
        name: "Robot", parent: "Being", attributes: [attribute("age", .double)],
        relationships: [toOne("maker", "Being", inverse: nil)]),
      EntityDescription(
        name: "Passport", attributes: [attribute("key", .string)],
        relationships: [toOne("holder", "Person", inverse: "passport", isOptional: false)]),
      EntityDescription(
        name: "Tag", attributes: [attribute("key", .string)],
        relationships: [
          SampleModels.toMany("beings", "Being", inverse: "tags", ordered: true),
          SampleModels.toMany("things", "Thing", inverse: "labels"),
          SampleModels.toMany("rankedBy", "Thing", inverse: "ranking"),
        ]),
      EntityDescription(
        name: "Thing",
        attributes: [
          attribute("key", .string), attribute("text", .string), attribute("count16", .integer16),
          attribute("count32", .integer32), attribute("count64", .integer64),
          attribute("ratio", .double), attribute("weight", .float), attribute("price", .decimal),
          attribute("flag", .boolean), attribute("made", .date), attribute("data", .binary),
          AttributeDescription(
            name: "photo", type: .binary, isOptional: true, allowsExternalStorage: true),
          attribute("ident", .uuid), attribute("link", .uri), attribute("blob", .transformable),
          attribute("size", .composite("Size")),
        ],
        relationships: [
          toOne("owner", "Person", inverse: "things"),
          toOne("parent", "Thing", inverse: "children"),
          SampleModels.toMany("children", "Thing", inverse: "parent", ordered: true),
          SampleModels.toMany("likes", "Thing", inverse: "likedBy"),
          SampleModels.toMany("likedBy", "Thing", inverse: "likes"),
          SampleModels.toMany("labels", "Tag", inverse: "things"),
          // Ordered on this side only.
          SampleModels.toMany("ranking", "Tag", inverse: "rankedBy", ordered: true),
        ]),
      EntityDescription(
        name: "Gadget", parent: "Thing", attributes: [attribute("serial", .integer64)],
        relationships: [toOne("model", "Thing", inverse: nil)]),
    ],
    composites: [
      CompositeDescription(
        name: "Size", attributes: [attribute("width", .double), attribute("unit", .string)])
    ])

  private static func attribute(_ name: String, _ type: AttributeType) -> AttributeDescription {
    AttributeDescription(name: name, type: type, isOptional: true)
  }

  private static func toOne(
    _ name: String, _ destination: String, inverse: String?, isOptional: Bool = true
  ) -> RelationshipDescription {
    RelationshipDescription(
      name: name, destination: destination, inverse: inverse, isOptional: isOptional)
  }
}
