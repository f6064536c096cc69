import SampleData
import StoreDiagnostics
import StoreModel
import StoreTestSupport
import Testing
import TestSupport

@testable import PredicateSQL
@testable import StoreCore
@testable import StoreImport
@testable import StoreLayout
@testable import SQLiteAccess

/// Imports into a store that already has rows.
@Suite struct ImportIntoStoreTests {
  private func venues() throws -> GraphStore {
    let made = try GraphStore(ImportRecordTests.model)
    try made.importing(
      """
      {"name": "A", "price": {"currency": {"symbol": "$"}}, \
      "visits": [{"day": "2001-01-01"}, {"day": "2001-01-02"}]}
      """, entity: "Venue")
    return made
  }

  @Test func membersOfOldOwnersStandBehindTheOthers() throws {
    let made = try venues()
    try made.importing(
      #"{"venue": "x-coredata:///Venue/p1"} {"venue": "x-coredata:///Venue/p1"}"#,
      entity: "Visit")
    #expect(
      try made.rows("SELECT Z_PK, Z_OPT, ZVENUE, Z_FOK_VENUE FROM ZVISIT ORDER BY Z_PK")
        == ["1 1 1 2048", "2 1 1 3072", "3 1 1 4096", "4 1 1 5120"])
  }

  @Test func aNewOwnerTakesOldMembers() throws {
    let made = try venues()
    try made.importing(
      """
      {"name": "B", "visits": ["x-coredata://\(made.store.metadata.uuid)/Visit/p2", \
      {"day": null}, "x-coredata:///Visit/p1"]}
      """, entity: "Venue")
    #expect(
      try made.rows("SELECT Z_PK, Z_OPT, ZVENUE, Z_FOK_VENUE FROM ZVISIT ORDER BY Z_PK")
        == ["1 2 2 4096", "2 2 2 2048", "3 1 2 3072"])
    #expect(
      try made.rows("SELECT Z_NAME, Z_MAX FROM Z_PRIMARYKEY WHERE Z_MAX > 0 ORDER BY 1")
        == ["'Price' 1", "'Venue' 2", "'Visit' 3"])
  }

  @Test func theOtherSideOfAOneToOneLetsGo() throws {
    let made = try venues()
    try made.importing(#"{"name": "B", "price": "x-coredata:///Price/p1"}"#, entity: "Venue")
    #expect(
      try made.rows("SELECT Z_PK, Z_OPT, ZPRICE FROM ZVENUE ORDER BY Z_PK") == [
        "1 2 NULL", "2 1 1",
      ])
    #expect(try made.rows("SELECT Z_PK, Z_OPT, ZVENUE FROM ZPRICE") == ["1 2 2"])
  }

  @Test func aPartnerThatAnotherRowNeedsIsNotTaken() throws {
    let made = try GraphStore()
    try made.importing(#"{"$entity": "Person", "passport": {"key": "PA"}}"#)
    let before = try made.dump()
    #expect(
      throws: ImportError.lostPartner(
        .init(relationship: "Passport.holder", target: "Passport p1", record: 1),
        property: "holder")
    ) {
      try made.importing(
        #"{"$entity": "Passport", "key": "new", "holder": "x-coredata:///Person/p1"}"#)
    }
    #expect(try made.dump() == before)
  }

  @Test func aRowThatTheImportMakesIsNoRowOfTheStore() throws {
    let made = try GraphStore(ImportRecordTests.model)
    #expect(throws: ImportError.self) {
      try made.importing(
        #"{"price": "x-coredata:///Price/p1"} {"$entity": "Price"}"#, entity: "Venue")
    }
    #expect(try made.exported() == "")
  }

  @Test func anIDOfAnotherStoreLeadsNowhere() throws {
    let made = try venues()
    #expect(
      throws: ImportError.dangling([
        .init(
          relationship: "Visit.venue", target: "x-coredata://OTHER/Venue/p1", record: 1,
          isRequired: true)
      ])
    ) {
      try made.importing(#"{"venue": "x-coredata://OTHER/Venue/p1"}"#, entity: "Visit")
    }
  }

  @Test func aRelationshipThatIsItsOwnInverseGoesBothWays() throws {
    let made = try GraphStore()
    try made.importing(
      #"{"$id": "a", "friends": ["b"]} {"$id": "b"}"#, entity: "Person")
    #expect(
      try CanonicalExport(made.exported(), of: GraphModel.model).lines
        .filter { $0.contains("friends") }.count == 2)
    let table = try #require(made.layout.joinTables.first { $0.name.hasSuffix("FRIENDS") })
    #expect(try made.rows("SELECT * FROM \(name: table.name) ORDER BY 1") == ["1 2", "2 1"])
  }

  @Test func compositesMayBeNestedOrFlat() throws {
    let made = try GraphStore()
    let outcome = try made.importing(
      #"{"size": {"width": 2.5, "unit": "m", "x": 1}} {"w": 3} {"w": 4}"#, entity: "Thing",
      map: ["size.width=w"])
    #expect(outcome.ignored["size.x"] == 1)
    #expect(
      try made.importing(
        #"{"size": {"width": 2.5, "unit": "m"}} {"size.width": 3}"#, entity: "Thing"
      )
      .ignored.isEmpty)
    let export = ExportQuery(try #require(made.layout.entity(named: "Thing")), in: made.layout)
    #expect(export.compiled().columns.contains { $0.name == "size.width" })
    #expect(
      try made.exported().split(separator: "\n").map { $0.contains("\"size.width\":null") }
        == [true, false, false, false, false])
  }
}
