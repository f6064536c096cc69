import StoreDiagnostics
import Foundation
import SampleData
import StoreModel
import Testing
import TestSupport

@testable import SQLiteAccess
@testable import StoreCore
@testable import StoreVerification

/// A repair creates only those missing objects that can be derived from the rest of the store.
@Suite struct SchemaRepairTests {
  private func graph() throws -> AlteredStore {
    try AlteredStore(
      GraphModel.model,
      """
      {"$entity": "Person", "$id": "p", "tags": [{"$entity": "Tag"}, {"$entity": "Tag"}],
       "keepsakes": [{"key": "k"}, {"key": "l"}]}
      {"$entity": "Thing", "key": "t", "parent": {"$entity": "Gadget", "key": "c"}, "owner": "p"}
      {"$entity": "Thing", "key": "u", "parent": {"$entity": "Thing", "key": "d"}}
      """)
  }

  private func repair(_ copy: AlteredStore.Copy) throws -> [String] {
    let (store, layout) = try copy.writing()
    defer { try? store.close() }
    let planned = try store.repairable(in: layout)
    let outcome = try store.repair(in: layout)
    #expect(outcome == planned)
    return outcome.repaired.map(\.message)
  }

  private func rows(_ copy: AlteredStore.Copy, _ query: SQL) throws -> [String] {
    try Store.open(LocalPath(copy.path), .reading).read { try $0.rows(query) }
      .map { $0.map(\.shown).joined(separator: " ") }
  }

  @Test func theEntityOfADestinationComesBack() throws {
    let store = try graph()
    let copy = try store.altered("ALTER TABLE ZTHING DROP COLUMN Z6_PARENT")
    let before = try rows(
      store.altered(""), "SELECT ZKEY, ZPARENT, Z6_PARENT FROM ZTHING ORDER BY 1")
    #expect(try copy.findings() == ["error verify.missing-column ZTHING has no column Z6_PARENT"])
    #expect(try repair(copy) == ["ZTHING has no column Z6_PARENT"])
    #expect(
      try rows(copy, "SELECT ZKEY, ZPARENT, Z6_PARENT FROM ZTHING ORDER BY 1") == before)
    #expect(try copy.findings() == [])
  }

  @Test func aLostOrderIsSaidToBeLost() throws {
    let copy = try graph().altered("ALTER TABLE ZTHING DROP COLUMN Z_FOK_PARENT")
    #expect(
      try copy.findings() == ["error verify.missing-column ZTHING has no column Z_FOK_PARENT"])
    #expect(try repair(copy) == ["ZTHING has no column Z_FOK_PARENT"])
    #expect(
      try copy.findings() == [
        "warning verify.missing-place 'Thing.children': 2 members without a position in the order"
      ])
    try copy.insert(#"{"key": "n"}"#, into: "Thing")
  }

  @Test func anOrderColumnOfAJoinTableComesBack() throws {
    let copy = try graph().altered("ALTER TABLE Z_1TAGS DROP COLUMN Z_FOK_5TAGS")
    #expect(
      try copy.findings() == ["error verify.missing-column Z_1TAGS has no column Z_FOK_5TAGS"])
    #expect(try repair(copy) == ["Z_1TAGS has no column Z_FOK_5TAGS"])
    #expect(
      try copy.findings() == [
        "warning verify.missing-place 'Being.tags': 2 members without a position in the order"
      ])
  }

  @Test func indexesAndTriggersComeBack() throws {
    let store = try AlteredStore(SampleModels.library)
    let catalogue: SQL =
      "SELECT name, sql FROM sqlite_master WHERE type IN ('index', 'trigger') ORDER BY name"
    let whole = try rows(store.altered(""), catalogue)
    let objects = try rows(
      store.altered(""),
      "SELECT type, name FROM sqlite_master WHERE type IN ('index', 'trigger') AND sql NOT NULL")
    let copy = try store.altered(
      objects.map { "DROP " + $0.split(separator: "'").map(String.init).joined() }.joined(
        separator: "; "))
    #expect(try repair(copy).count >= objects.count - 2)
    #expect(try copy.findings() == [])
    // Only one of two indexes on the same columns is required.
    let made = try rows(copy, catalogue)
    #expect(Set(made).isSubset(of: whole))
    #expect(whole.count - made.count <= 2)
  }

  @Test func rowsThatShareAValueKeepTheirUniqueIndexAway() throws {
    let store = try AlteredStore(SampleModels.library)
    let twice = """
      DROP INDEX Z_Person_UNIQUE_name;
      INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 3, 1, 'Ann'), (2, 3, 1, 'Ann');
      UPDATE Z_PRIMARYKEY SET Z_MAX = 2 WHERE Z_ENT = 2;
      """
    let copy = try store.altered(twice)
    let index = "the unique index Z_Person_UNIQUE_name on ZPERSON (ZNAME) is missing"
    #expect(try copy.findings().contains("error verify.missing-index \(index)"))
    #expect(try repair(copy) == [])
    try copy.edit("UPDATE ZPERSON SET ZNAME = 'Bo' WHERE Z_PK = 2")
    #expect(try repair(copy) == [index])
    #expect(try !copy.findings().contains { $0.contains("missing-index") })
  }

  /// `Z_MAX` is 0, so the tables never contained rows.
  @Test func tablesThatNeverHadRowsComeBack() throws {
    let store = try AlteredStore(SampleModels.library)
    let whole = try rows(store.altered(""), Self.objects)
    let tables = try rows(store.altered(""), "SELECT name FROM sqlite_master WHERE type = 'table'")
      .map { $0.replacing("'", with: "") }.filter { !["Z_PRIMARYKEY", "Z_METADATA"].contains($0) }
    #expect(tables.count > 1)
    for table in tables where !table.hasPrefix("Z_METADATA") && !table.hasPrefix("Z_MODELCACHE") {
      let copy = try store.altered("DROP TABLE \"\(table)\"")
      #expect(try repair(copy).contains("the table \(table) is missing"), "\(table)")
      #expect(try copy.findings() == [], "\(table)")
      #expect(try rows(copy, Self.objects) == whole, "\(table)")
    }
  }

  private static let objects: SQL =
    "SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY type, name, tbl_name"

  @Test func joinTableOfAnEntityWithoutRowsComesBack() throws {
    let store = try AlteredStore(
      GraphModel.model,
      """
      {"$entity": "Thing", "key": "t"}
      """)
    let copy = try store.altered("DROP TABLE Z_1TAGS")
    #expect(try repair(copy) == ["the table Z_1TAGS is missing"])
    #expect(try copy.findings() == [])
  }

  /// The lost contents are unknown, and an empty table would hide the loss.
  @Test(arguments: [
    "DROP TABLE Z_1TAGS",
    "DROP TABLE ZPASSPORT; UPDATE Z_PRIMARYKEY SET Z_MAX = 1 WHERE Z_NAME = 'Passport'",
    "ALTER TABLE ZTHING DROP COLUMN ZTEXT",
    "DELETE FROM Z_PRIMARYKEY WHERE Z_NAME = 'Tag'",
  ])
  func whatHeldValuesIsNotMade(_ sql: String) throws {
    let copy = try graph().altered(sql)
    let before = try copy.findings()
    #expect(before.count == 1)
    #expect(try repair(copy) == [])
    #expect(try copy.findings() == before)
  }

  /// An index with any name on the same columns is accepted, and so is one that belongs to the table's statement.
  @Test func namesOfIndexesDoNotCount() throws {
    let store = try AlteredStore(SampleModels.library)
    let copy = try store.altered(
      """
      DROP INDEX Z_Book_UNIQUE_title_author;
      CREATE UNIQUE INDEX other ON ZBOOK (ZAUTHOR, ZTITLE);
      DROP INDEX Z_Person_UNIQUE_name;
      PRAGMA writable_schema = ON;
      """)
    #expect(
      try copy.findings() == [
        "error verify.missing-index the unique index Z_Person_UNIQUE_name on ZPERSON (ZNAME) is missing"
      ])
  }

  /// An app's index on another table keeps its name. One on the same table is replaced.
  @Test func anIndexOfAnAppsOwnIsInTheWay() throws {
    let copy = try AlteredStore(SampleModels.library).altered(
      """
      DROP INDEX Z_Book_UNIQUE_isbn; CREATE TABLE app (a);
      CREATE INDEX z_book_unique_ISBN ON app (a)
      """)
    let missing =
      "error verify.missing-index the unique index Z_Book_UNIQUE_isbn on ZBOOK (ZISBN) is missing"
    #expect(try copy.findings() == [missing])
    #expect(try repair(copy) == [])
    #expect(try copy.findings() == [missing])
    #expect(
      try rows(copy, "SELECT tbl_name FROM sqlite_master WHERE name = 'z_book_unique_ISBN'")
        == ["'app'"])
    try copy.edit(
      "DROP TABLE app; CREATE INDEX Z_Book_UNIQUE_isbn ON ZBOOK (Z_OPT)")
    #expect(try repair(copy).count == 1)
    #expect(try copy.findings() == [])
  }

  @Test func aColumnInAnotherCaseIsInTheWay() throws {
    let copy = try graph().altered("ALTER TABLE ZTHING RENAME COLUMN Z6_PARENT TO z6_parent")
    #expect(try repair(copy) == [])
    #expect(try copy.findings() == ["error verify.missing-column ZTHING has no column Z6_PARENT"])
  }
}
