import StoreDiagnostics
import Foundation
import SampleData
import StoreModel
import StorePredicate
import StoreTestSupport
import Testing
import TestSupport

@testable import SQLiteAccess
@testable import StoreCore
@testable import StoreLayout
@testable import StoreVerification

/// A write that requires a missing object is refused before it changes a row. Other writes succeed.
@Suite struct IncompleteStoreTests {
  private static let library = Result {
    try AlteredStore(SampleModels.library)
  }
  private static let graph = Result {
    try AlteredStore(
      GraphModel.model,
      """
      {"$entity": "Person", "key": "p", "things": [{"key": "a"}], "tags": [{"$entity": "Tag"}]}
      {"$entity": "Thing", "key": "t", "parent": {"$entity": "Gadget", "key": "c"}}
      """)
  }

  private func lacks(_ body: () throws -> Void) -> [String] {
    guard case .incomplete(_, let gaps)? = storeError(body) else { return [] }
    return gaps.map(\.name)
  }

  @Test func withoutItsUniqueIndexNoRowIsInserted() throws {
    let copy = try Self.library.get().altered(
      """
      INSERT INTO ZBOOK (Z_PK, Z_ENT, Z_OPT, ZISBN) VALUES (1, 1, 1, 'x');
      UPDATE Z_PRIMARYKEY SET Z_MAX = 1 WHERE Z_ENT = 1; DROP INDEX Z_Book_UNIQUE_isbn
      """)
    let name = "the unique index Z_Book_UNIQUE_isbn on ZBOOK (ZISBN)"
    let book = #"{"title": "B", "isbn": "x", "price": 1}"#
    for policy in [ConflictPolicy.fail, .ignore, .update] {
      #expect(lacks { try copy.insert(book, into: "Book", on: policy) } == [name])
    }
    #expect(lacks { try copy.update("Book", set: "isbn", to: .string("y")) } == [name])
    // Writes that don't require the index.
    try copy.update("Book", set: "price", to: .integer(2))
    try copy.insert(#"{"name": "Z"}"#, into: "Zone")
    try copy.deleteAll("Book")
  }

  @Test func withoutACompanionNoReferenceIsWritten() throws {
    let copy = try Self.graph.get().altered(
      "ALTER TABLE ZTHING DROP COLUMN Z6_PARENT; ALTER TABLE Z_1TAGS DROP COLUMN Z_FOK_5TAGS")
    #expect(
      lacks { try copy.insert("{}", into: "Thing") } == ["the column Z6_PARENT of ZTHING"])
    #expect(
      lacks { try copy.importing(#"{"$entity": "Person", "tags": [{"$entity": "Tag"}]}"#) }
        == ["the column Z_FOK_5TAGS of Z_1TAGS"])
    try copy.update("Thing", set: "text", to: .string("new"))
    try copy.insert("{}", into: "Tag")
  }

  @Test func withoutATriggerNothingIsWrittenThatItFollows() throws {
    let trigger = "Z_DA_ZVISIT_Book_loanCount_PARAMETER_DELETE"
    let copy = try Self.library.get().altered("DROP TRIGGER \(trigger)")
    #expect(
      try copy.findings().filter { !$0.contains("derived") } == [
        "error verify.missing-trigger the trigger \(trigger) on ZVISIT is missing"
      ])
    try copy.insert("{}", into: "visit")
    #expect(lacks { try copy.deleteAll("visit") } == ["the trigger \(trigger) on ZVISIT"])
  }

  @Test func withoutItsCounterNoRowIsInserted() throws {
    let copy = try Self.graph.get().altered("DELETE FROM Z_PRIMARYKEY WHERE Z_NAME = 'Tag'")
    #expect(
      lacks { try copy.insert("{}", into: "Tag") }
        == ["row 5 of Z_PRIMARYKEY for 'Tag'"])
    try copy.insert("{}", into: "Thing")
  }

  @Test func withoutTheirPrimaryKeyNoRowsAreCounted() throws {
    let copy = try AlteredStore(GraphModel.model, history: true).altered(
      """
      CREATE TABLE k AS SELECT * FROM Z_PRIMARYKEY; DROP TABLE Z_PRIMARYKEY;
      ALTER TABLE k RENAME TO Z_PRIMARYKEY
      """)
    #expect(
      try copy.findings() == [
        "error verify.missing-primary-key Z_PRIMARYKEY has no primary key (Z_ENT)"
      ])
    #expect(
      lacks { try copy.insert("{}", into: "Tag") } == ["the primary key of Z_PRIMARYKEY (Z_ENT)"])
  }

  @Test func aMissingTableIsTheStoresState() throws {
    let copy = try Self.graph.get().altered("DROP TABLE Z_1TAGS; DROP TABLE ZPASSPORT")
    let names = ["the table ZPASSPORT of 'Passport'", "the table Z_1TAGS"]
    #expect(lacks { _ = try copy.exported() } == names)
    #expect(lacks { try copy.insert("{}", into: "Passport") } == names)
    try copy.insert("{}", into: "Tag")
    let description = try Store.describe(LocalPath(copy.path))
    #expect(
      description.findings.map(\.message).contains("the table ZPASSPORT is missing"))
    #expect(description.entities.contains { $0.name == "Person" && $0.rowCount == 1 })
  }

  @Test func noMigrationBegins() throws {
    let copy = try Self.library.get().altered("DROP INDEX Z_Book_UNIQUE_isbn")
    let (store, layout) = try copy.reading()
    #expect(
      lacks { try store.requireWhole(for: layout, in: store.read { try $0.schema() }) }
        == ["the unique index Z_Book_UNIQUE_isbn on ZBOOK (ZISBN)"])
    try copy.edit("CREATE UNIQUE INDEX other ON ZBOOK (ZISBN); DROP INDEX Z_Book_byPrice")
    let (whole, _) = try copy.reading()
    try whole.requireWhole(for: layout, in: whole.read { try $0.schema() })
  }

  /// The view is infinite, so reading it would never end.
  @Test func aViewIsNoTable() throws {
    let copy = try Self.graph.get().altered(
      """
      DROP TABLE ZPASSPORT; CREATE VIEW ZPASSPORT AS
        WITH RECURSIVE t(Z_PK, Z_ENT, Z_OPT, ZHOLDER, ZKEY) AS
          (SELECT 1, 4, 1, 1, 'a' UNION ALL SELECT Z_PK + 1, 4, 1, 1, 'a' FROM t) SELECT * FROM t
      """)
    let name = "the table ZPASSPORT (a view has this name)"
    #expect(lacks { _ = try copy.reading() } == [name])
    #expect(lacks { _ = try copy.writing() } == [name])
    #expect(
      try copy.findings() == [
        "error verify.not-a-table ZPASSPORT is a view, but must be a table"
      ])
    #expect(
      try Store.describe(LocalPath(copy.path)).findings.map(\.message)
        .contains("ZPASSPORT is a view, but must be a table"))
  }

  @Test func aHistoryThatIsAViewIsNotRead() throws {
    let copy = try Self.graph.get().altered(
      """
      CREATE VIEW ACHANGE AS WITH RECURSIVE t(Z_PK) AS
        (SELECT 1 UNION ALL SELECT Z_PK + 1 FROM t) SELECT * FROM t
      """)
    #expect(try Store.describe(LocalPath(copy.path)).history == nil)
    #expect(try copy.findings() == [])
  }

  /// Bytes 44 to 47 contain the schema format number.
  @Test func anUnknownFormatOfTheFileIsDamage() throws {
    let copy = try Self.graph.get().altered("")
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: copy.path))
    try file.seek(toOffset: 47)
    try file.write(contentsOf: [9])
    try file.close()
    let error = #expect(throws: DatabaseError.self) { try copy.reading() }
    guard case .damaged? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  /// SQLite removes a log without frames when it closes the database.
  @Test(arguments: [1, 31, 32, 2000])
  func aStrayLogIsLeftByReading(_ count: Int) throws {
    let copy = try Self.graph.get().altered("PRAGMA journal_mode = WAL")
    try Data(repeating: 7, count: count).write(to: URL(fileURLWithPath: copy.path + "-wal"))
    let before = try StoreFixture.contents(of: copy.folder.url)
    let (store, _) = try copy.reading()
    try store.close()
    #expect(try StoreFixture.contents(of: copy.folder.url) == before)
  }

  // MARK: An app's own objects

  @Test(arguments: [
    // One table's content is missing, and another table requires a module that this SQLite lacks.
    "CREATE VIRTUAL TABLE docs USING fts5(a, content='gone')",
    "CREATE VIRTUAL TABLE docs USING fts5(a); DROP TABLE docs_data",
    """
    PRAGMA writable_schema = ON;
    INSERT INTO sqlite_master VALUES
      ('table', 'docs', 'docs', 0, 'CREATE VIRTUAL TABLE docs USING nosuch(a)');
    """,
  ])
  func aTableThatCannotBeReadIsNamed(_ sql: String) throws {
    let copy = try Self.graph.get().altered(
      "\(sql); UPDATE ZTHING SET ZOWNER = 77 WHERE ZKEY = 'a'")
    let sentences = try Store.describe(LocalPath(copy.path)).findings.map(\.sentence)
    #expect(
      sentences.contains { $0.hasPrefix("SQLite can't read the table docs: ") }, "\(sentences)")
    let findings = try copy.findings()
    #expect(
      findings.first?.hasPrefix(
        "warning verify.unreadable-table SQLite can't read the table docs: ")
        == true, "\(findings)")
    #expect(findings.contains { $0.hasPrefix("error verify.dangling-reference") })
    // Other tables can still be written.
    try copy.insert("{}", into: "Tag")
    let (store, layout) = try copy.writing()
    #expect(try store.repair(in: layout).repaired.count == 1)
    try store.requireWhole(for: layout, in: store.read { try $0.schema() })
  }

  @Test func aReadableTableOfAnAppIsCounted() throws {
    let copy = try Self.graph.get().altered(
      "CREATE VIRTUAL TABLE docs USING fts5(a); INSERT INTO docs VALUES ('x'), ('y')")
    let description = try Store.describe(LocalPath(copy.path))
    #expect(description.otherTables.contains { $0.name == "docs" && $0.rowCount == 2 })
    #expect(try copy.findings() == [])
  }

  @Test func triggersOfAnAppKeepWritesToTheirOwnTablesAway() throws {
    let copy = try Self.graph.get().altered(
      """
      CREATE TABLE log (a); CREATE TRIGGER noted AFTER INSERT ON log BEGIN DELETE FROM log; END;
      CREATE TRIGGER mine AFTER UPDATE ON ZTHING BEGIN INSERT INTO log VALUES (1); END
      """)
    let refused = StoreLayoutError.foreignTrigger(
      path: LocalPath(copy.path), name: "mine", table: "ZTHING")
    #expect(storeError { try copy.insert("{}", into: "Thing") } == refused)
    #expect(storeError { try copy.update("Thing", set: "text", to: .null) } == refused)
    #expect(storeError { try copy.deleteAll("Thing") } == refused)
    try copy.insert("{}", into: "Tag")
    #expect(try copy.findings() == [])
    let triggers = try Store.describe(LocalPath(copy.path)).remarks.map(\.sentence)
    #expect(
      triggers.contains(
        "it has triggers that Core Data didn't create, so storetool doesn't write to their tables: "
          + "mine on ZTHING, noted on log"))
    #expect(!triggers.contains { $0.contains("derived attributes") })
  }
}
