import PlainSQLite
import SampleData
import StoreModel
import StorePredicate
import StoreTestSupport
import Testing
import TestSupport

@testable import RecordFormats
@testable import StoreCore
@testable import StoreLayout
@testable import SQLiteAccess

/// The triggers update derived attributes while another program writes.
@Suite struct DerivationTriggerTests {
  private func open(_ fixture: StoreFixture) throws -> PlainDatabase {
    let database = try PlainDatabase(fixture.path)
    for name in DerivationTriggers.functions { try database.define(function: name) }
    return database
  }

  @Test func countsAndCopiesFollow() throws {
    let fixture = try StoreFixture(SampleModels.library)
    let database = try open(fixture)
    func derived(after sql: String) throws -> String {
      try database.execute("BEGIN; \(sql); COMMIT")
      return try database.rows("SELECT Z_PK, ZLOANCOUNT, ZAUTHORNAME FROM ZBOOK ORDER BY Z_PK").map
      {
        "\($0[0] ?? "-"): \($0[1] ?? "-") \($0[2] ?? "-")"
      }.joined(separator: ", ")
    }
    #expect(
      try derived(
        after: """
          INSERT INTO ZPERSON (Z_PK, Z_ENT, ZNAME) VALUES (1, 3, 'Ray'), (2, 3, 'Ann');
          INSERT INTO ZBOOK (Z_PK, Z_ENT, ZAUTHOR) VALUES (1, 1, 1), (2, 1, NULL);
          """) == "1: 0 Ray, 2: 0 -")
    #expect(
      try derived(
        after: """
          INSERT INTO ZVISIT (Z_PK, Z_ENT, ZBOOK) VALUES (1, 5, 1), (2, 5, 1), (3, 5, NULL)
          """) == "1: 2 Ray, 2: 0 -")
    #expect(
      try derived(after: "UPDATE ZVISIT SET ZBOOK = 2 WHERE Z_PK = 1; UPDATE ZBOOK SET ZAUTHOR = 2")
        == "1: 1 Ann, 2: 1 Ann")
    #expect(
      try derived(after: "DELETE FROM ZVISIT; UPDATE ZPERSON SET ZNAME = 'Eve' WHERE Z_PK = 2")
        == "1: 0 Eve, 2: 0 Eve")
    try database.close()
  }

  private static let library: DataModel = {
    func text(_ name: String) -> AttributeDescription {
      AttributeDescription(name: name, type: .string, isOptional: true)
    }
    func toOne(_ name: String, _ destination: String, _ inverse: String) -> RelationshipDescription
    {
      RelationshipDescription(
        name: name, destination: destination, inverse: inverse, isOptional: true)
    }
    var authorName = text("authorName")
    authorName.derivation = .keyPath("author", "name")
    var loanCount = AttributeDescription(name: "loanCount", type: .integer64, isOptional: true)
    loanCount.derivation = FormatExpression(
      .keyPath(
        base: FormatExpression(.selfObject),
        [KeyPathStep(.key("loans")), KeyPathStep(.collection(.count))]))
    return DataModel(
      name: "Library",
      entities: [
        EntityDescription(
          name: "Author", attributes: [text("name")],
          relationships: [SampleModels.toMany("books", "Book", inverse: "author")]),
        EntityDescription(
          name: "Book", attributes: [text("title"), authorName, loanCount],
          relationships: [
            toOne("author", "Author", "books"),
            SampleModels.toMany("loans", "Loan", inverse: "book"),
          ]),
        EntityDescription(name: "Loan", relationships: [toOne("book", "Book", "loans")]),
      ])
  }()

  @Test func importAndInsertKeepThemRight() throws {
    let graph = try GraphStore(Self.library)
    func books() throws -> [String] {
      try graph.rows("SELECT ZTITLE, ZLOANCOUNT, ZAUTHORNAME FROM ZBOOK ORDER BY Z_PK")
    }
    try graph.importing(
      """
      {"$entity": "Loan", "book": "b"}
      {"$entity": "Book", "$id": "b", "title": "B", "author": {"name": "Ray"}, "loans": [{}, {}]}
      {"$entity": "Book", "$id": "c", "title": "C", "author": "a"}
      {"$entity": "Author", "$id": "a", "name": "Ann"}
      """)
    #expect(try books() == ["'B' 3 'Ray'", "'C' 0 'Ann'"])
    try graph.store.write { connection in
      let loan = try RowInsertion(
        into: "Loan", in: graph.layout, store: graph.store.metadata.uuid, on: connection)
      _ = try loan.run([Assignment("book:=(title == \"C\")")])
    }
    #expect(try books() == ["'B' 3 'Ray'", "'C' 1 'Ann'"])
    let plan = try InsertPlan(entity: "Book", in: graph.layout)
    let source = MemorySource(
      Array(#"{"title": "D", "author": "x-coredata:///Author/p2"}"#.utf8), name: "in")
    _ = try graph.store.insert(source, format: .json, by: plan, in: graph.layout)
    #expect(try books() == ["'B' 3 'Ray'", "'C' 1 'Ann'", "'D' 0 'Ann'"])
  }
}
