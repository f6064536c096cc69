import StoreDiagnostics
import StoreModel
import StoreModelReader
import StorePredicate
import TestSupport
import Testing

@testable import StoreLayout
@testable import SQLiteAccess
@testable import StoreMigration

/// The data that a route keeps of a store with one filled row of each entity.
@Suite struct MigrationRouteTests {
  private func text(_ name: String, id: String? = nil) -> AttributeDescription {
    AttributeDescription(name: name, type: .string, isOptional: true, renamingIdentifier: id)
  }

  private func entity(_ name: String, id: String? = nil, _ attributes: AttributeDescription...)
    -> EntityDescription
  {
    EntityDescription(name: name, attributes: attributes, renamingIdentifier: id)
  }

  /// Returns the route from the first to the last version. Versions are named A, B, C … in order.
  ///
  /// - Parameter composites: the composites of each version; none if nil.
  private func route(
    _ versions: [[EntityDescription]], composites: [[CompositeDescription]]? = nil,
    via: [String] = [],
    _ definitions: (String, String, String)...
  ) throws -> MigrationRoute {
    let composites = composites ?? versions.map { _ in [] }
    let models = zip("ABCDEFG", zip(versions, composites)).map {
      DataModel(name: String($0), entities: $1.0, composites: $1.1)
    }
    let names = models.map(\.name)
    let jumps = definitions.map { VersionJump(from: $0.0, to: $0.1) }
    let (first, last) = (names[0], names[names.count - 1])
    let path =
      via.isEmpty
      ? try MigrationPath(from: first, to: last, in: names, definitions: jumps)
      : try MigrationPath(from: first, via: via, to: last, in: names, definitions: jumps)
    func model(_ name: String) throws -> DataModel {
      try #require(models.first { $0.name == name })
    }
    return try MigrationRoute(
      path, model: model, renames: { try RenameHistory(of: names, model: model) }
    ) { jump in
      let found = try #require(definitions.first { $0.0 == jump.from && $0.1 == jump.to })
      let xml = "<migration from='\(jump.from)' to='\(jump.to)'>\(found.2)</migration>"
      return try MigrationDefinition(
        reading: XMLSource(file: "definition.xml", bytes: Array(xml.utf8)))
    }
  }

  /// Migrates a store in which the value of each attribute is its name, and returns the entity's rows.
  private func rows(
    _ entity: String, _ route: MigrationRoute, empty: Set<String> = []
  ) throws -> [[SQLiteValue]] {
    let source = try #require(route.mappings.first).source
    let target = try #require(route.mappings.last).target
    let store = try MigrationStore(source)
    for place in store.layout.entities {
      var (columns, values): ([SQL], [SQL]) = (
        ["Z_PK", "Z_ENT", "Z_OPT"], ["1", "\(value: .integer(place.number))", "1"]
      )
      for (name, attribute) in place.attributes where !empty.contains(name) {
        columns.append(SQL.name(attribute.column))
        values.append("\(value: .text(name))")
      }
      try store.run(
        """
        INSERT INTO \(name: place.table) (\(columns.joined(", "))) VALUES (\(values.joined(", ")))
        """)
    }
    let migrated = try VerifiedMigration(
      of: LocalPath(store.path), by: route.mappings, from: "A", to: "Z")
    #expect(migrated.newFindings == [])
    let place = try #require(StoreLayout(model: target).entity(named: entity))
    let columns = place.attributes.sorted { $0.key < $1.key }.map { SQL.name($0.value.column) }
    return try store.rows("SELECT \(columns.joined(", ")) FROM \(name: place.table)")
  }

  @Test func anEntityThatWasAwayKeepsItsRows() throws {
    let route = try route([
      [entity("Log", text("line")), entity("Item", text("name"))],
      [entity("Item", text("name"))],
      [entity("Log", text("line")), entity("Item", text("name"), text("note"))],
    ])
    #expect(route.legs.map(\.path) == [.inferred(.init(from: "A", to: "C"))])
    #expect(route.alternative == nil)
    #expect(try rows("Log", route) == [["line"]])
  }

  @Test func whatAVersionBetweenRequiresStaysNull() throws {
    let required = AttributeDescription(name: "rank", type: .string, defaultValue: .string("0"))
    let route = try route([
      [entity("Item", text("rank"))], [entity("Item", required)],
      [entity("Item", text("rank"), text("note"))],
    ])
    #expect(try rows("Item", route, empty: ["rank"]) == [[.null, .null]])
  }

  /// Each renaming identifier is the name in the previous version.
  @Test func aChainOfRenamesIsFollowed() throws {
    let route = try route([
      [entity("Item", text("title"))],
      [entity("Thing", id: "Item", text("name", id: "title"))],
      [entity("Unrelated", text("a"))],
      [entity("Object", id: "Thing", text("label", id: "name"))],
    ])
    #expect(route.legs.map(\.over) == [["B"]])
    #expect(
      route.legs[0].renames.map { "\($0.source) as \($0.target)" }
        == ["Item as Object", "Item.title as Object.label"])
    #expect(try rows("Object", route) == [["title"]])
    // Direct migration would have lost it.
    #expect(route.alternative?.entities == [])
  }

  @Test func aChainOverSeveralVersionsIsFollowed() throws {
    let route = try route([
      [entity("Item", text("a"))], [entity("Item", text("b", id: "a"))],
      [entity("Item", text("c", id: "b"))], [entity("Item", text("d", id: "c"))],
    ])
    #expect(route.legs.map(\.over) == [["B", "C"]])
    #expect(try rows("Item", route) == [["a"]])
  }

  /// Properties with the same name in the first and last version are paired, regardless of versions between them.
  @Test func namesOfBothEndsGoFirst() throws {
    let route = try route([
      [entity("Item", text("a"))], [entity("Item", text("b", id: "a"))],
      [entity("Item", text("a"), text("b", id: "a"))],
    ])
    #expect(route.legs.map(\.over) == [[]])
    #expect(try rows("Item", route) == [["a", .null]])
  }

  private let rename = "<entity name='Item'><attribute name='note' value='name'/></entity>"

  /// The version lacks an entity and an attribute that the first and last version have, and requires another attribute.
  @Test func whatAVersionOnTheWayLacksIsCarried() throws {
    let versions = [
      [entity("Log", text("line")), entity("Item", text("mark"), text("name"), text("rank"))],
      [
        entity(
          "Item", text("name"),
          AttributeDescription(name: "rank", type: .string, defaultValue: .string("0")))
      ],
      [entity("Item", text("name"), text("note"), text("rank"))],
      [
        entity("Log", text("line")),
        entity("Item", text("mark"), text("name"), text("note"), text("rank")),
      ],
    ]
    let route = try route(versions, ("B", "C", rename))
    #expect(
      route.legs.map(\.path) == [
        .inferred(.init(from: "A", to: "B")), .custom(.init(from: "B", to: "C")),
        .inferred(.init(from: "C", to: "D")),
      ])
    #expect(try rows("Log", route) == [["line"]])
    #expect(try rows("Item", route, empty: ["rank"]) == [["mark", "name", "name", .null]])
  }

  /// Rows that direct migration keeps aren't lost if a version between renames their entity.
  @Test func whatIsCalledElseOnTheWayIsCarried() throws {
    let route = try route(
      [
        [entity("Item", text("name")), entity("Log", text("line"))],
        [entity("Item", text("name")), entity("Entry", id: "Log", text("text", id: "line"))],
        [entity("Item", text("name"), text("note")), entity("Entry", text("text"))],
        [entity("Item", text("name"), text("note")), entity("Log", text("line"))],
      ], ("B", "C", rename))
    #expect(try rows("Log", route) == [["line"]])
  }

  /// An attribute with its composite, or an element of a composite, that a version between lacks.
  @Test func compositesAreCarried() throws {
    let place = AttributeDescription(name: "place", type: .composite("Place"), isOptional: true)
    func composite(_ elements: String...) -> CompositeDescription {
      CompositeDescription(name: "Place", attributes: elements.map { text($0) })
    }
    let versions = [
      [entity("Item", text("name"), place)], [entity("Item", text("name"))],
      [entity("Item", text("name"), text("note"))],
      [entity("Item", text("name"), text("note"), place)],
    ]
    let whole = composite("street", "town")
    let away = try route(versions, composites: [[whole], [], [], [whole]], ("B", "C", rename))
    #expect(
      try rows("Item", away) == [["name", "name", "place.street", "place.town"]])
    let kept = versions.map {
      $0[0].attributes.contains(place) ? $0 : [entity("Item", place, text("name"))]
    }
    let part = try route(
      [versions[0], kept[1], [entity("Item", text("name"), text("note"), place)], versions[3]],
      composites: [[whole], [composite("town")], [composite("town")], [whole]],
      ("B", "C", rename))
    #expect(
      try rows("Item", part) == [["name", "name", "place.street", "place.town"]])
  }

  @Test func relationshipsAreCarried() throws {
    let owner = RelationshipDescription(
      name: "owner", destination: "Person", inverse: "items", isOptional: true)
    let items = RelationshipDescription(
      name: "items", destination: "Item", inverse: "owner", cardinality: .toMany(ordered: true),
      isOptional: true)
    let tags = RelationshipDescription(
      name: "tags", destination: "Item", inverse: "tagged", cardinality: .toMany(ordered: false),
      isOptional: true)
    let tagged = RelationshipDescription(
      name: "tagged", destination: "Item", inverse: "tags", cardinality: .toMany(ordered: false),
      isOptional: true)
    let whole = [
      EntityDescription(
        name: "Item", attributes: [text("name")], relationships: [owner, tagged, tags]),
      EntityDescription(name: "Person", attributes: [text("name")], relationships: [items]),
    ]
    let bare = [entity("Item", text("name")), entity("Person", text("name"))]
    let noted = [entity("Item", text("name"), text("note")), entity("Person", text("name"))]
    var more = whole
    more[0].attributes.append(text("note"))
    let route = try route([whole, bare, noted, more], ("B", "C", rename))
    let store = try MigrationStore(route.mappings[0].source)
    let join = try #require(store.layout.joinTables.first)
    try store.run(
      "INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT) VALUES (1, 2, 1), (2, 2, 1)",
      """
      INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZOWNER, Z_FOK_OWNER) \
      VALUES (1, 1, 1, 2, 4096), (2, 1, 1, 2, 2048), (3, 1, 1, NULL, NULL)
      """,
      "INSERT INTO \(name: join.name) (Z_1TAGS, Z_1TAGGED) VALUES (1, 3), (2, 1)")
    let migrated = try VerifiedMigration(
      of: LocalPath(store.path), by: route.mappings, from: "A", to: "D")
    #expect(migrated.newFindings == [])
    #expect(migrated.report.losses == [])
    #expect(
      try store.rows("SELECT Z_PK, ZOWNER FROM ZITEM ORDER BY Z_FOK_OWNER, Z_PK")
        == [[3, .null], [2, 2], [1, 2]])
    #expect(
      try store.rows("SELECT Z_1TAGS, Z_1TAGGED FROM \(name: join.name) ORDER BY 1")
        == [[1, 3], [2, 1]])
  }

  /// Rows that a definition drops or moves aren't carried past it.
  @Test func whatADefinitionSpeaksOfGoesWhereItSays() throws {
    let versions = [
      [entity("Log", text("line")), entity("Item", text("name"))],
      [entity("Log", text("line")), entity("Item", text("name"))],
      [entity("Item", text("name"))],
      [entity("Log", text("line")), entity("Item", text("name"), text("note"))],
    ]
    let dropped = try route(versions, ("B", "C", "<drop entity='Log'/>"))
    #expect(try rows("Log", dropped) == [])
  }

  @Test func theChosenWayIsGone() throws {
    let versions = [
      [entity("Item", text("a"))], [entity("Item", text("a"))],
      [entity("Item", text("a"), text("note"))], [entity("Item", text("a"), text("note"))],
    ]
    let definition = "<entity name='Item'><attribute name='note' value='a'/></entity>"
    let straight = try route(versions, via: ["C"], ("B", "C", definition))
    #expect(try rows("Item", straight) == [["a", .null]])
    let passing = try route(versions, via: ["B", "C"], ("B", "C", definition))
    #expect(try rows("Item", passing) == [["a", "a"]])
  }
}
