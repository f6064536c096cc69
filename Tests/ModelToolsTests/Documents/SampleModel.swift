import ModelTools
import StoreModel

/// A model with every feature that a diagram shows.
enum SampleModel {
  static let library = Model(
    name: "Library 2",
    entities: [
      Entity(
        name: "Medium", isAbstract: true,
        attributes: [
          Attribute(name: "code", type: .string),
          Attribute(name: "title", type: .string, isOptional: true),
          Attribute(name: "size", type: .composite("Size"), isOptional: true),
        ],
        relationships: [
          Relationship(
            name: "loans", destination: "Loan", inverse: "medium",
            cardinality: .toMany(ordered: true), isOptional: true, deleteRule: .cascade)
        ], uniquenessConstraints: [["code"]]),
      Entity(
        name: "Book", parent: "Medium",
        attributes: [
          Attribute(name: "shelf", type: .string), Attribute(name: "number", type: .integer32),
        ],
        relationships: [
          Relationship(
            name: "sequel", destination: "Book", inverse: "prequel", isOptional: true),
          Relationship(
            name: "prequel", destination: "Book", inverse: "sequel", isOptional: true),
          Relationship(
            name: "similar", destination: "Book", inverse: "similar",
            cardinality: .toMany(ordered: false), isOptional: true),
        ],
        uniquenessConstraints: [["shelf", "number"]]),
      Entity(
        name: "Loan", attributes: [Attribute(name: "until", type: .date)],
        relationships: [
          Relationship(name: "medium", destination: "Medium", inverse: "loans"),
          Relationship(
            name: "stamps", destination: "Stamp", cardinality: .toMany(ordered: false),
            minimumCount: 2, maximumCount: 5),
        ],
        fetchedProperties: [
          FetchedProperty(
            name: "others", request: FetchRequestTemplate(name: "others", entity: "Loan"))
        ]),
      Entity(
        name: "Stamp",
        attributes: [Attribute(name: "seen", type: .boolean, isTransient: true)]),
    ],
    composites: [
      Composite(
        name: "Size",
        attributes: [
          Attribute(name: "height", type: .double), Attribute(name: "width", type: .double),
        ])
    ])

  /// Names with a special meaning in each of the languages.
  static let odd = Model(
    name: "Odd \"1\" \\",
    entities: [
      Entity(
        name: "note",
        attributes: [
          Attribute(name: "<b>&amp;\"'", type: .string),
          Attribute(name: "{a}(b)|`c`~d~$", type: .string),
          Attribute(name: "n", type: .string), Attribute(name: "_id_", type: .string),
          Attribute(name: "\u{1B}[31m\u{FFFE}\n", type: .string),
          Attribute(name: "direction LR", type: .string),
        ],
        relationships: [
          Relationship(name: "a: b; c", destination: "end", inverse: "größe", isOptional: true)
        ]),
      Entity(
        name: "end",
        relationships: [
          Relationship(
            name: "größe", destination: "note", inverse: "a: b; c",
            cardinality: .toMany(ordered: false), isOptional: true)
        ]),
      Entity(name: "Node"), Entity(name: "TB"), Entity(name: "class"), Entity(name: "legend"),
      Entity(name: "direction TB"), Entity(name: "direction_TB"), Entity(name: "日本"),
      Entity(name: "\\\""), Entity(name: "%% comment"), Entity(name: "constructor"),
      Entity(name: "Entity", attributes: [Attribute(name: "x", type: .composite("Entity"))]),
    ],
    composites: [
      Composite(name: "Entity", attributes: [Attribute(name: "y", type: .composite("日本"))]),
      Composite(name: "日本", attributes: []),
    ])
}

extension SampleModel {
  /// The previous version: with a `Shelf`, a renamed attribute, another parent, and without loans.
  private static let formerLibrary = Model(
    name: "Library",
    entities: [
      Entity(
        name: "Item", isAbstract: true, attributes: [Attribute(name: "code", type: .string)]),
      Entity(
        name: "Medium", isAbstract: true,
        attributes: [
          Attribute(name: "code", type: .string), Attribute(name: "weight", type: .float),
        ]),
      Entity(
        name: "Volume", parent: "Item",
        relationships: [Relationship(name: "shelf", destination: "Shelf", inverse: "books")]),
      Entity(
        name: "Shelf",
        relationships: [
          Relationship(
            name: "books", destination: "Volume", inverse: "shelf",
            cardinality: .toMany(ordered: false), isOptional: true)
        ]),
    ])

  static let libraryChanges: DiagramChanges = {
    var changes = DiagramChanges(
      from: formerLibrary, entityNames: ["Medium": "Medium", "Volume": "Book"])
    changes.mark(.entity("Medium"), .changed)
    changes.mark(.property("title", of: "Medium"), .added)
    changes.mark(.property("code", of: "Medium"), .changed)
    changes.mark(.property("loans", of: "Medium"), .added)
    changes.mark(.entity("Book"), .changed)
    changes.mark(.property("shelf", of: "Book"), .changed)
    changes.mark(.entity("Loan"), .added)
    changes.mark(.composite("Size"), .added)
    let former = formerLibrary
    for name in ["Item", "Shelf"] {
      if let entity = former.entity(named: name) { changes.remove(.entity(entity)) }
    }
    if let weight = former.entity(named: "Medium")?.attributes.last {
      changes.remove(.attribute(weight, of: "Medium"))
    }
    if let shelf = former.entity(named: "Volume")?.relationships.first {
      changes.remove(.relationship(shelf, of: "Book"))
    }
    return changes
  }()

  static let diagrams = [
    ModelDiagram(of: library), ModelDiagram(of: odd),
    ModelDiagram(of: library, changes: libraryChanges),
    ModelDiagram(of: Model(name: "Empty", entities: [])),
  ]
}
