import SampleData
import StoreModel
import Testing
import TestSupport

@testable import StoreLayout
@testable import SQLiteAccess

@Suite struct StoreLayoutTests {
  let layout = StoreLayout(model: SampleModels.library)

  @Test func libraryMakesThisSchema() {
    let text = layout.statements.map { $0.literalText + ";\n" }.joined()
    Golden.expect(text, matches: "library.sql")
  }

  @Test func libraryHasTheseRisks() {
    #expect(
      layout.risks == [
        "the join table of 'Author.admires' and 'admiredBy' is named Z_3ADMIRES; Core Data may"
          + " expect Z_3ADMIREDBY",
        "the triggers of the derived attribute 'Book.authorName' have the names that Core Data uses;"
          + " their text is a guess, because an entity has a parent",
      ])
  }

  @Test func entitiesAreNumberedInPreOrderWithoutRegardToCase() {
    #expect(
      layout.entities.map { "\($0.number) \($0.name) < \($0.parentNumber) \($0.subtree)" } == [
        "1 Book < 0 [1]", "2 Person < 0 [2, 3, 4]", "3 Author < 2 [3]", "4 Reader < 2 [4]",
        "5 visit < 0 [5]", "6 Zone < 0 [6]",
      ])
  }

  @Test func inheritedPropertiesUseTheAncestorsColumns() throws {
    let reader = try #require(layout.entity(named: "Reader"))
    #expect(reader.table == "ZPERSON")
    #expect(reader.root == "Person")
    #expect(reader.sharesTable)
    #expect(reader.attributes["name"]?.column == "ZNAME")
    #expect(reader.attributes["rating"]?.column == "ZRATING1")
    #expect(layout.entity(named: "Author")?.attributes["rating"]?.column == "ZRATING")
    #expect(layout.entity(named: "Zone")?.sharesTable == false)
  }

  @Test func relationshipsKnowTheirColumns() throws {
    let book = try #require(layout.entity(named: "Book"))
    let author = try #require(layout.entity(named: "Author"))
    let reader = try #require(layout.entity(named: "Reader"))
    #expect(
      book.toOne["author"]
        == ToOneColumn(
          column: "ZAUTHOR", destination: "Author", orderColumn: "Z_FOK_AUTHOR"))
    #expect(
      book.toOne["lastOwner"]
        == ToOneColumn(
          column: "ZLASTOWNER", destination: "Person", entityColumn: "Z2_LASTOWNER"))
    #expect(
      author.toMany["books"]
        == .column(
          .init(
            destination: "Book", table: "ZBOOK", column: "ZAUTHOR",
            orderColumn: "Z_FOK_AUTHOR")))
    #expect(
      reader.toMany["visits"]
        == .column(.init(destination: "visit", table: "ZVISIT", column: "Z4VISITS")))
    #expect(
      reader.toMany["wishes"]
        == .joinTable(
          .init(
            destination: "Book", table: "Z_1WISHEDBY", sourceColumn: "Z_4WISHEDBY",
            destinationColumn: "Z_1WISHES", orderColumn: "Z_FOK_1WISHES")))
    #expect(
      book.toMany["wishedBy"]
        == .joinTable(
          .init(
            destination: "Reader", table: "Z_1WISHEDBY", sourceColumn: "Z_1WISHES",
            destinationColumn: "Z_4WISHEDBY")))
  }

  @Test func aConfigurationTakesInItsEntitiesAndTheirAncestors() {
    let limited = StoreLayout(
      model: SampleModels.library,
      configuration: ConfigurationDescription(name: "People", entities: ["Reader", "visit"]))
    #expect(limited.entities.map(\.name) == ["Person", "Reader", "visit"])
    #expect(limited.entity(named: "visit")?.toOne.isEmpty == true)
  }

  @Test func aCompositeBecomesOneColumnForEachElement() {
    let model = DataModel(
      name: "Shop",
      entities: [
        EntityDescription(
          name: "Shop",
          attributes: [AttributeDescription(name: "place", type: .composite("Place"))])
      ],
      composites: [
        CompositeDescription(
          name: "Place",
          attributes: [
            AttributeDescription(name: "street", type: .string),
            AttributeDescription(name: "spot", type: .composite("Spot")),
          ]),
        CompositeDescription(
          name: "Spot", attributes: [AttributeDescription(name: "x", type: .double)]),
      ])
    let shop = StoreLayout(model: model)
    #expect(
      shop.entity(named: "Shop")?.attributes.mapValues(\.column) == [
        "place.street": "ZPLACE_STREET", "place.spot.x": "ZPLACE_SPOT_X",
      ])
    #expect(shop.risks.count == 1)
  }

  @Test(
    arguments: [
      (
        [("day", true)],
        ["Z_Page_day (ZDAY COLLATE BINARY ASC)", "Z_Page_by (ZDAY COLLATE BINARY ASC)"]
      ),
      ([("day", false)], ["Z_Page_by (ZDAY COLLATE BINARY DESC)"]),
      (
        [("day", true), ("title", false)],
        ["Z_Page_by (ZDAY COLLATE BINARY ASC, ZTITLE COLLATE BINARY DESC)"]
      ),
      ([("book", true)], []), ([("book", false)], []),
    ] as [([(String, Bool)], [String])])
  func aFetchIndexOfOneAscendingAttributeGetsASecondOne(
    _ elements: [(name: String, isAscending: Bool)], _ indexes: [String]
  ) {
    let model = DataModel(
      name: "Pages",
      entities: [
        EntityDescription(
          name: "Page",
          attributes: [
            AttributeDescription(name: "day", type: .date),
            AttributeDescription(name: "title", type: .string),
          ],
          relationships: [RelationshipDescription(name: "book", destination: "Page")],
          indexes: [
            FetchIndex(
              name: "by",
              elements: elements.map { .init(.property($0.name), isAscending: $0.isAscending) })
          ])
      ])
    let made = StoreLayout(model: model).tables[0].indexes.map { $0.sql(on: "ZPAGE").literalText }
    let ofBook = "CREATE INDEX ZPAGE_ZBOOK_INDEX ON ZPAGE (ZBOOK)"
    #expect(
      made
        == [ofBook]
        + indexes.map { "CREATE INDEX \($0.replacing(" (", with: " ON ZPAGE ("))" })
  }

  @Test(
    arguments: [
      ("size > 0", "WHERE ZSIZE > 0"), ("size >= 1.5 AND kind == 'a''b'", nil),
      ("size >= 1.5 AND kind == \"it's\"", "WHERE (ZSIZE >= 1.5 AND ZKIND = 'it''s')"),
      ("size > 0 OR kind == 'a'", "WHERE (ZSIZE > 0 OR ZKIND = 'a')"),
      ("size != -1", "WHERE ZSIZE <> -1"), ("kind == nil", "WHERE ZKIND IS NULL"),
      (
        "kind != nil AND (size != 0 OR kind == 'a')",
        "WHERE (ZKIND IS NOT NULL AND (ZSIZE <> 0 OR ZKIND = 'a'))"
      ),
      ("kind > nil", nil), ("NOT size > 0", nil), ("kind ==[c] 'a'", nil), ("nothing > 0", nil),
      ("size >", nil),
    ] as [(String, String?)])
  func aPartialIndexHasItsCondition(_ predicate: String, _ condition: String?) {
    let model = DataModel(
      name: "Files",
      entities: [
        EntityDescription(
          name: "File",
          attributes: [
            AttributeDescription(name: "size", type: .double),
            AttributeDescription(name: "kind", type: .string),
          ],
          indexes: [
            FetchIndex(
              name: "some", elements: [.init(.property("kind"))], partialPredicate: predicate)
          ])
      ])
    let layout = StoreLayout(model: model)
    let made = layout.tables[0].indexes.map { $0.sql(on: "ZFILE").literalText }
    #expect(
      made == condition.map {
        ["CREATE INDEX Z_File_some ON ZFILE (ZKIND COLLATE BINARY ASC) \($0)"]
      } ?? [])
    #expect(layout.risks.isEmpty == (condition != nil))
  }

  /// For `SELF`, the index has the column of the key. For `entity`, it has the column of the entity number.
  @Test func elementsThatAreTheRowOrItsEntityAreColumns() {
    let model = DataModel(
      name: "Files",
      entities: [
        EntityDescription(
          name: "File", attributes: [AttributeDescription(name: "size", type: .double)],
          indexes: [
            FetchIndex(
              name: "bySize",
              elements: [
                .init(.property("size"), isAscending: false),
                .init(.expression("SELF", type: .objectID)),
                .init(.expression("entity", type: .undefined)),
              ], partialPredicate: "size > 0"),
            FetchIndex(
              name: "length",
              elements: [.init(.expression("length:(name)", type: .integer64))]),
          ])
      ])
    let layout = StoreLayout(model: model)
    #expect(
      layout.tables[0].indexes.map { $0.sql(on: "ZFILE").literalText } == [
        "CREATE INDEX Z_File_bySize ON ZFILE (ZSIZE COLLATE BINARY DESC, Z_PK COLLATE BINARY ASC,"
          + " Z_ENT COLLATE BINARY ASC) WHERE ZSIZE > 0"
      ])
    #expect(
      layout.risks == [
        "the index 'length' of 'File' is omitted: the form of R-tree indexes, and of expressions"
          + " other than SELF and entity, is unknown"
      ])
  }
}
