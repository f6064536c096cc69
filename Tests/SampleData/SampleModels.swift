package import StoreLayout
package import StoreModel
import StorePredicate

/// Models that contain each rule of the layout once.
package enum SampleModels {
  /// Inheritance, an ordered to-many relationship, many-to-many relationships with and without an order, a to-many
  /// relationship without an inverse, both kinds of derived attributes, uniqueness, and every kind of index.
  package static let library = Model(
    name: "Library",
    entities: [
      Entity(
        name: "Author", parent: "Person",
        attributes: [Attribute(name: "rating", type: .double)],
        relationships: [
          toMany("books", "Book", inverse: "author", ordered: true),
          toMany("admires", "Author", inverse: "admiredBy"),
          toMany("admiredBy", "Author", inverse: "admires"),
        ]),
      Entity(
        name: "Person", isAbstract: true,
        attributes: [
          Attribute(name: "name", type: .string), Attribute(name: "born", type: .date),
        ],
        uniquenessConstraints: [["name"]]),
      Entity(
        name: "Reader", parent: "Person",
        attributes: [
          // The same names as in the sibling, once with another type.
          Attribute(name: "rating", type: .string), Attribute(name: "card", type: .uuid),
        ],
        relationships: [
          toMany("wishes", "Book", inverse: "wishedBy", ordered: true),
          toMany("visits", "visit"),
        ]),
      Entity(
        name: "Book",
        attributes: [
          Attribute(name: "title", type: .string, isIndexed: true),
          Attribute(name: "authorName", type: .string, derivation: .keyPath("author", "name")),
          Attribute(
            name: "loanCount", type: .integer64,
            derivation: FormatExpression(
              .keyPath(
                base: FormatExpression(.selfObject),
                [KeyPathStep(.key("loans")), KeyPathStep(.collection(.count))]))),
          Attribute(name: "cover", type: .binary, allowsExternalStorage: true),
          Attribute(name: "isbn", type: .uri), Attribute(name: "price", type: .decimal),
          Attribute(name: "isLent", type: .boolean), Attribute(name: "mood", type: .transformable),
          Attribute(name: "scratch", type: .string, isTransient: true),
        ],
        relationships: [
          Relationship(name: "author", destination: "Author", inverse: "books"),
          Relationship(name: "lastOwner", destination: "Person"),
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
      Entity(
        name: "visit", attributes: [Attribute(name: "day", type: .date)],
        relationships: [Relationship(name: "book", destination: "Book", inverse: "loans")]),
      Entity(name: "Zone", attributes: [Attribute(name: "name", type: .string)]),
    ])

  /// A small model for tests of files and rows.
  package static let todo = Model(
    name: "Todo",
    entities: [
      Entity(
        name: "Item",
        attributes: [
          Attribute(name: "title", type: .string), Attribute(name: "done", type: .boolean),
        ],
        relationships: [Relationship(name: "list", destination: "List", inverse: "items")]),
      Entity(
        name: "List", attributes: [Attribute(name: "title", type: .string)],
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
  ) -> Relationship {
    Relationship(
      name: name, destination: destination, inverse: inverse,
      cardinality: .toMany(ordered: ordered))
  }
}
