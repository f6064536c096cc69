package import StoreLayout
package import StoreModel
import StorePredicate

/// Models that contain each rule of the layout once.
package enum SampleModels {
  /// Inheritance, an ordered to-many relationship, many-to-many relationships with and without an order, a to-many
  /// relationship without an inverse, both kinds of derived attributes, uniqueness, and every kind of index.
  package static let library = DataModel(
    name: "Library",
    entities: [
      EntityDescription(
        name: "Author", parent: "Person",
        attributes: [AttributeDescription(name: "rating", type: .double)],
        relationships: [
          toMany("books", "Book", inverse: "author", ordered: true),
          toMany("admires", "Author", inverse: "admiredBy"),
          toMany("admiredBy", "Author", inverse: "admires"),
        ]),
      EntityDescription(
        name: "Person", isAbstract: true,
        attributes: [
          AttributeDescription(name: "name", type: .string),
          AttributeDescription(name: "born", type: .date),
        ],
        uniquenessConstraints: [["name"]]),
      EntityDescription(
        name: "Reader", parent: "Person",
        attributes: [
          // The same names as in the sibling, once with another type.
          AttributeDescription(name: "rating", type: .string),
          AttributeDescription(name: "card", type: .uuid),
        ],
        relationships: [
          toMany("wishes", "Book", inverse: "wishedBy", ordered: true),
          toMany("visits", "visit"),
        ]),
      EntityDescription(
        name: "Book",
        attributes: [
          AttributeDescription(name: "title", type: .string, isIndexed: true),
          AttributeDescription(
            name: "authorName", type: .string, derivation: .keyPath("author", "name")),
          AttributeDescription(
            name: "loanCount", type: .integer64,
            derivation: FormatExpression(
              .keyPath(
                base: FormatExpression(.selfObject),
                [KeyPathStep(.key("loans")), KeyPathStep(.collection(.count))]))),
          AttributeDescription(name: "cover", type: .binary, allowsExternalStorage: true),
          AttributeDescription(name: "isbn", type: .uri),
          AttributeDescription(name: "price", type: .decimal),
          AttributeDescription(name: "isLent", type: .boolean),
          AttributeDescription(name: "mood", type: .transformable),
          AttributeDescription(name: "scratch", type: .string, isTransient: true),
        ],
        relationships: [
          RelationshipDescription(name: "author", destination: "Author", inverse: "books"),
          RelationshipDescription(name: "lastOwner", destination: "Person"),
          toMany("wishedBy", "Reader", inverse: "wishes"),
          toMany("loans", "visit", inverse: "book"),
        ],
        indexes: [
          FetchIndex(
            name: "byPrice",
            elements: [.init(.property("price"), isAscending: false), .init(.property("title"))]),
          FetchIndex(name: "byLent", elements: [.init(.property("isLent"))]),
          FetchIndex(name: "byAuthor", elements: [.init(.property("author"))]),
          FetchIndex(
            name: "", elements: [.init(.property("title")), .init(.property("isbn"))],
            origin: .compoundIndex),
        ],
        uniquenessConstraints: [["isbn"], ["title", "author"]]),
      // The name is in lower case, so that the order of numbers shows that case is ignored.
      EntityDescription(
        name: "visit", attributes: [AttributeDescription(name: "day", type: .date)],
        relationships: [
          RelationshipDescription(name: "book", destination: "Book", inverse: "loans")
        ]),
      EntityDescription(
        name: "Zone", attributes: [AttributeDescription(name: "name", type: .string)]),
    ])

  /// A small model for tests of files and rows.
  package static let todo = DataModel(
    name: "Todo",
    entities: [
      EntityDescription(
        name: "Item",
        attributes: [
          AttributeDescription(name: "title", type: .string),
          AttributeDescription(name: "done", type: .boolean),
        ],
        relationships: [
          RelationshipDescription(name: "list", destination: "List", inverse: "items")
        ]),
      EntityDescription(
        name: "List", attributes: [AttributeDescription(name: "title", type: .string)],
        relationships: [toMany("items", "Item", inverse: "list")]),
    ])

  /// Invented data of `todo`.
  package static let todoFingerprint = ModelFingerprint(
    identifiers: ["v1"],
    hashes: [
      "Item": [UInt8](repeating: 1, count: 32), "List": [UInt8](repeating: 2, count: 32),
    ],
    digest: "digest", checksum: "checksum")

  package static func toMany(
    _ name: String, _ destination: String, inverse: String? = nil, ordered: Bool = false
  ) -> RelationshipDescription {
    RelationshipDescription(
      name: name, destination: destination, inverse: inverse,
      cardinality: .toMany(ordered: ordered))
  }
}
