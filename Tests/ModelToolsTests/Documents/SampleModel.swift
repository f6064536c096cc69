import ModelTools
import StoreModel

/// A model with every feature that a diagram shows.
enum SampleModel {
  static let library = DataModel(
    name: "Library 2",
    entities: [
      EntityDescription(
        name: "Medium", isAbstract: true,
        attributes: [
          AttributeDescription(name: "code", type: .string),
          AttributeDescription(name: "title", type: .string, isOptional: true),
          AttributeDescription(name: "size", type: .composite("Size"), isOptional: true),
        ],
        relationships: [
          RelationshipDescription(
            name: "loans", destination: "Loan", inverse: "medium",
            cardinality: .toMany(ordered: true), isOptional: true, deleteRule: .cascade)
        ], uniquenessConstraints: [["code"]]),
      EntityDescription(
        name: "Book", parent: "Medium",
        attributes: [
          AttributeDescription(name: "shelf", type: .string),
          AttributeDescription(name: "number", type: .integer32),
        ],
        relationships: [
          RelationshipDescription(
            name: "sequel", destination: "Book", inverse: "prequel", isOptional: true),
          RelationshipDescription(
            name: "prequel", destination: "Book", inverse: "sequel", isOptional: true),
          RelationshipDescription(
            name: "similar", destination: "Book", inverse: "similar",
            cardinality: .toMany(ordered: false), isOptional: true),
        ],
        uniquenessConstraints: [["shelf", "number"]]),
      EntityDescription(
        name: "Loan", attributes: [AttributeDescription(name: "until", type: .date)],
        relationships: [
          RelationshipDescription(name: "medium", destination: "Medium", inverse: "loans"),
          RelationshipDescription(
            name: "stamps", destination: "Stamp", cardinality: .toMany(ordered: false),
            minimumCount: 2, maximumCount: 5),
        ],
        fetchedProperties: [
          FetchedProperty(
            name: "others", request: FetchRequestTemplate(name: "others", entity: "Loan"))
        ]),
      EntityDescription(
        name: "Stamp",
        attributes: [AttributeDescription(name: "seen", type: .boolean, isTransient: true)]),
    ],
    composites: [
      CompositeDescription(
        name: "Size",
        attributes: [
          AttributeDescription(name: "height", type: .double),
          AttributeDescription(name: "width", type: .double),
        ])
    ])

  /// Names with a special meaning in each of the languages.
  static let odd = DataModel(
    name: "Odd \"1\" \\",
    entities: [
      EntityDescription(
        name: "note",
        attributes: [
          AttributeDescription(name: "<b>&amp;\"'", type: .string),
          AttributeDescription(name: "{a}(b)|`c`~d~$", type: .string),
          AttributeDescription(name: "n", type: .string),
          AttributeDescription(name: "_id_", type: .string),
          AttributeDescription(name: "\u{1B}[31m\u{FFFE}\n", type: .string),
          AttributeDescription(name: "direction LR", type: .string),
        ],
        relationships: [
          RelationshipDescription(
            name: "a: b; c", destination: "end", inverse: "größe", isOptional: true)
        ]),
      EntityDescription(
        name: "end",
        relationships: [
          RelationshipDescription(
            name: "größe", destination: "note", inverse: "a: b; c",
            cardinality: .toMany(ordered: false), isOptional: true)
        ]),
      EntityDescription(name: "Node"), EntityDescription(name: "TB"),
      EntityDescription(name: "class"), EntityDescription(name: "legend"),
      EntityDescription(name: "direction TB"), EntityDescription(name: "direction_TB"),
      EntityDescription(name: "日本"),
      EntityDescription(name: "\\\""), EntityDescription(name: "%% comment"),
      EntityDescription(name: "constructor"),
      EntityDescription(
        name: "Entity", attributes: [AttributeDescription(name: "x", type: .composite("Entity"))]),
    ],
    composites: [
      CompositeDescription(
        name: "Entity", attributes: [AttributeDescription(name: "y", type: .composite("日本"))]),
      CompositeDescription(name: "日本", attributes: []),
    ])
}

extension SampleModel {
  /// The previous version: with a `Shelf`, a renamed attribute, another parent, and without loans.
  private static let formerLibrary = DataModel(
    name: "Library",
    entities: [
      EntityDescription(
        name: "Item", isAbstract: true,
        attributes: [AttributeDescription(name: "code", type: .string)]),
      EntityDescription(
        name: "Medium", isAbstract: true,
        attributes: [
          AttributeDescription(name: "code", type: .string),
          AttributeDescription(name: "weight", type: .float),
        ]),
      EntityDescription(
        name: "Volume", parent: "Item",
        relationships: [
          RelationshipDescription(name: "shelf", destination: "Shelf", inverse: "books")
        ]),
      EntityDescription(
        name: "Shelf",
        relationships: [
          RelationshipDescription(
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
    ModelDiagram(of: DataModel(name: "Empty", entities: [])),
  ]
}
