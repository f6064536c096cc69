import StoreDiagnostics
import SampleData
import StoreModel
import StoreTestSupport
import Testing
import TestSupport

@testable import RecordFormats
@testable import SQLiteAccess
@testable import StoreCore
@testable import StoreLayout

/// Changes that a write records in a store with a history.
@Suite struct ChangeRecorderTests {
  static let origin = HistoryOrigin(
    author: "me", bundle: "my.bundle", process: "test", timestamp: 700_000_000.5)

  /// Creates a store of the graph model with a history.
  private func graph(_ era: HistoryEra = .strings) throws -> GraphStore {
    let graph = try GraphStore()
    try graph.store.close()
    try graph.file.keepHistory(era)
    return try GraphStore(reopening: graph)
  }

  private func changes(_ graph: GraphStore, _ transaction: Int64) throws -> [String] {
    try graph.store.read { try $0.changes(in: transaction, of: graph.layout) }
  }

  @Test func aTransactionIsOneRowWithItsStrings() throws {
    let graph = try graph()
    for _ in 1...2 {
      try graph.store.write { connection in
        let changes = try ChangeRecorder(
          in: graph.layout, on: connection, session: HistorySession(Self.origin))
        try connection.run("INSERT INTO ZTAG (Z_ENT, Z_OPT) VALUES (5, 1), (5, 1)")
        let tag = try #require(graph.layout.entity(named: "Tag"))
        let last = try connection.integer("SELECT max(Z_PK) - 2 FROM ZTAG")
        try changes.recordInserts(into: tag, after: last)
        try changes.finish()
      }
    }
    #expect(
      try graph.rows("SELECT * FROM ATRANSACTION") == [
        "1 16002 NULL 1 2 NULL 3 700000000.5 NULL NULL NULL NULL NULL",
        "2 16002 NULL 1 2 NULL 3 700000000.5 NULL NULL NULL NULL NULL",
      ])
    #expect(
      try graph.rows("SELECT * FROM ATRANSACTIONSTRING") == [
        "1 16003 NULL 'me'", "2 16003 NULL 'my.bundle'", "3 16003 NULL 'test'",
      ])
    #expect(
      try graph.rows("SELECT * FROM Z_PRIMARYKEY WHERE Z_ENT > 16000") == [
        "16001 'CHANGE' 0 4", "16002 'TRANSACTION' 0 2", "16003 'TRANSACTIONSTRING' 0 3",
      ])
    let first = try graph.rows("SELECT * FROM ACHANGE WHERE Z_PK = 1")
    let number = try #require(graph.layout.entity(named: "Tag")?.number)
    #expect(number == 5 && first == ["1 16001 NULL 0 5 1 1 NULL"])
  }

  @Test func theOlderEraHasTheNamesInTheRow() throws {
    let graph = try graph(.inline)
    try graph.store.write { connection in
      let changes = try ChangeRecorder(
        in: graph.layout, on: connection, session: HistorySession(Self.origin))
      try connection.run("INSERT INTO ZTAG (Z_ENT, Z_OPT) VALUES (5, 1)")
      try changes.recordInserts(
        into: try #require(graph.layout.entity(named: "Tag")), after: 0)
      try changes.finish()
    }
    #expect(
      try graph.rows("SELECT * FROM ATRANSACTION")
        == ["1 16002 NULL 700000000.5 'me' 'my.bundle' NULL 'test' NULL"])
  }

  @Test func nothingChangedLeavesNoTransaction() throws {
    let graph = try graph()
    try graph.store.write { connection in
      let changes = try ChangeRecorder(in: graph.layout, on: connection)
      try changes.recordUpdates(of: "SELECT Z_ENT, Z_PK FROM ZTAG", properties: ["key"])
      try changes.recordDeletes(from: "ZTAG")
      try changes.finish()
    }
    #expect(try graph.rows("SELECT * FROM ATRANSACTION") == [])
    #expect(try graph.rows("SELECT * FROM Z_PRIMARYKEY WHERE Z_ENT > 16000") == [])
  }

  @Test func prunedKeysAreNotUsedAgain() throws {
    let graph = try graph()
    try graph.importing(#"{"$entity": "Tag"} {"$entity": "Tag"}"#)
    try graph.store.write { connection in
      try connection.run("DELETE FROM ACHANGE")
      try connection.run("DELETE FROM ATRANSACTION")
    }
    try graph.importing(#"{"$entity": "Tag"}"#)
    #expect(try graph.rows("SELECT Z_PK, ZTRANSACTIONID FROM ACHANGE") == ["3 2"])
  }

  @Test func updatesOfARowBecomeOne() throws {
    let graph = try graph()
    try graph.importing(
      #"{"$entity": "Thing"} {"$entity": "Gadget"} {"$entity": "Thing"}"#)
    try graph.store.write { connection in
      let changes = try ChangeRecorder(in: graph.layout, on: connection)
      let all: SQL = "SELECT Z_ENT, Z_PK FROM ZTHING WHERE Z_PK < 3"
      try changes.recordUpdates(of: all, properties: ["text", "owner"])
      try changes.recordUpdates(of: all, properties: ["text", "owner"])
      try changes.recordUpdates(
        of: "SELECT Z_ENT, Z_PK FROM ZTHING WHERE Z_PK = 2", properties: ["serial"])
      try changes.finish()
    }
    #expect(
      try changes(graph, 2) == [
        "update Thing 1 owner, text", "update Gadget 2 owner, serial, text",
      ])
  }

  @Test func aMaskHasABitForEachProperty() {
    let thing = EntityDescription(
      name: "T", attributes: ["b", "Z", "a"].map { AttributeDescription(name: $0, type: .string) },
      relationships: ["c", "d", "e", "f", "g", "h"].map {
        RelationshipDescription(name: $0, destination: "T")
      }
    )
    let properties = ChangedProperties(of: thing, in: DataModel(name: "M", entities: [thing]))
    #expect(properties.names == ["Z", "a", "b", "c", "d", "e", "f", "g", "h"])
    #expect(properties.mask(of: ["Z", "b", "h", "unknown"]) == [0b1010_0000, 0b1000_0000])
    #expect(properties.properties(in: [0b1010_0000, 0b1111_1111]) == ["Z", "b", "h"])
    #expect(properties.properties(in: []) == [])
  }

  @Test func deletedRowsLeaveWhatIsPreserved() throws {
    let base = EntityDescription(
      name: "Base", isAbstract: true,
      attributes: [
        AttributeDescription(name: "uuid", type: .string, isPreservedAfterDeletion: true)
      ])
    let event = EntityDescription(
      name: "Event", parent: "Base",
      attributes: [
        AttributeDescription(name: "note", type: .string),
        AttributeDescription(name: "shared", type: .boolean, isPreservedAfterDeletion: true),
      ])
    let note = EntityDescription(name: "Note", parent: "Base")
    let model = DataModel(name: "M", entities: [base, event, note])
    let file = try StoreFixture(model)
    try file.keepHistory(tombstones: 2)
    try file.edit(
      """
      INSERT INTO ZBASE (Z_PK, Z_ENT, Z_OPT, ZUUID, ZSHARED) VALUES
      (1, 2, 1, 'a', 1), (2, 2, 1, 'b', NULL), (3, 3, 1, 'c', 1), (4, 3, 1, 'd', 1)
      """)
    let store = try Store.open(LocalPath(file.path), .writing)
    let rows = try store.write { connection in
      let changes = try ChangeRecorder(in: StoreLayout(model: model), on: connection)
      try changes.recordDeletes(from: "ZBASE", where: "Z_PK < 4")
      try changes.finish()
      return try connection.rows(
        "SELECT ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTOMBSTONE0, ZTOMBSTONE1 FROM ACHANGE")
    }
    #expect(
      rows.map { $0.map(\.shown).joined(separator: " ") }
        == ["2 2 1 'a' 1", "2 2 2 'b' NULL", "2 3 3 'c' NULL"])
  }

  /// Columns after a missing column don't belong to any attribute.
  @Test func aMissingColumnOfWhatIsPreserved() throws {
    let event = EntityDescription(
      name: "Event",
      attributes: ["a", "b", "c"].map {
        AttributeDescription(name: $0, type: .string, isPreservedAfterDeletion: true)
      })
    let model = DataModel(name: "M", entities: [event])
    let file = try StoreFixture(model)
    try file.keepHistory(tombstones: 3)
    try file.edit(
      """
      ALTER TABLE ACHANGE DROP COLUMN ZTOMBSTONE1;
      INSERT INTO ZEVENT (Z_PK, Z_ENT, Z_OPT, ZA, ZB, ZC) VALUES (1, 1, 1, 'a', 'b', 'c')
      """)
    let store = try Store.open(LocalPath(file.path), .writing)
    try store.write { connection in
      let changes = try ChangeRecorder(in: StoreLayout(model: model), on: connection)
      try changes.recordDeletes(from: "ZEVENT")
      try changes.finish()
    }
    var preserved: [[Int: SQLiteValue]] = []
    try store.read { connection in
      try HistoryLog(connection).forEachChange(since: nil) { preserved.append($0.preserved) }
    }
    #expect(preserved == [[0: .text("a")]])
  }

  // MARK: Changes that commands record

  @Test func importedRowsAndTheOldOnesTheyReach() throws {
    let graph = try graph()
    try graph.importing(
      """
      {"$entity": "Tag", "key": "t"} {"$entity": "Person", "key": "p", "$id": "p"}
      {"$entity": "Thing", "key": "x", "owner": "p"}
      """)
    #expect(
      try changes(graph, 1) == ["insert Person 1", "insert Tag 1", "insert Thing 1"])
    try graph.importing(
      """
      {"$entity": "Person", "key": "q", "tags": ["x-coredata:///Tag/p1"],
       "things": ["x-coredata:///Thing/p1"], "spouse": "x-coredata:///Person/p1"}
      {"$entity": "Thing", "key": "y", "parent": "x-coredata:///Thing/p1"}
      """)
    #expect(
      try changes(graph, 2) == [
        "update Person 1 spouse, things", "insert Person 2", "update Tag 1 beings",
        "update Thing 1 children, owner", "insert Thing 2",
      ])
    #expect(
      try graph.rows("SELECT Z_PK, Z_OPT FROM ZBEING UNION ALL SELECT Z_PK, Z_OPT FROM ZTAG") == [
        "1 2", "2 1", "1 2",
      ])
  }

  @Test func updatedRowsAndTheirPartners() throws {
    let graph = try graph()
    try graph.importing(
      """
      {"$entity": "Person", "key": "a", "spouse": "b"} {"$entity": "Person", "$id": "b"}
      {"$entity": "Person", "key": "c"}
      """)
    try graph.update(
      "Person", ["age=3", "note=n"], where: "age != 3 OR age == nil")
    #expect(
      try changes(graph, 2) == [
        "update Person 1 age, note", "update Person 2 age, note", "update Person 3 age, note",
      ])
    try graph.update("Person", ["age=3"], where: "TRUEPREDICATE")
    #expect(try changes(graph, 3) == [], "no row held another value")
    try graph.update(
      "Person", ["spouse=x-coredata:///Person/p1"], where: "key == \"c\"")
    #expect(
      try changes(graph, 3) == [
        "update Person 1 spouse", "update Person 2 spouse", "update Person 3 spouse",
      ])
  }

  /// As in real stores, an owner changes when it loses or receives a member.
  @Test func updatedRowsAndTheirOwners() throws {
    let file = try StoreFixture()
    try file.keepHistory()
    let made = try GraphStore(reopening: file, SampleModels.todo)
    try made.importing(
      """
      {"$entity": "List", "title": "A", "items": [{"title": "a", "done": true}, {"title": "b", "done": true}]}
      {"$entity": "List", "title": "B"} {"$entity": "List", "title": "C", "items": [{"title": "c", "done": true}]}
      """)
    try made.update(
      "Item", ["list=x-coredata:///List/p3", "done=false"], where: "title != \"b\"")
    #expect(
      Set(try changes(made, 2)) == [
        "update Item 1 done, list", "update Item 3 done, list", "update List 1 items",
        "update List 3 items",
      ])
    #expect(try made.rows("SELECT Z_PK, Z_OPT FROM ZLIST") == ["1 2", "2 1", "3 2"])
    try made.update(
      "Item", ["list=x-coredata:///List/p2"], where: "title == \"b\"")
    #expect(
      Set(try changes(made, 3)) == [
        "update Item 2 list", "update List 1 items", "update List 2 items",
      ])
    try made.update("Item", ["done=true"])
    #expect(try changes(made, 4).allSatisfy { $0.hasPrefix("update Item") })
    #expect(try made.rows("SELECT Z_PK, Z_OPT FROM ZLIST") == ["1 3", "2 2", "3 2"])
  }

  @Test func anInsertedRowAndItsOwner() throws {
    let file = try StoreFixture()
    try file.keepHistory()
    let store = try Store.open(LocalPath(file.path), .writing)
    let layout = StoreLayout(model: SampleModels.todo)
    func insert(_ entity: String, _ values: [String]) throws {
      _ = try store.write { connection in
        try RowInsertion(into: entity, in: layout, store: store.metadata.uuid, on: connection)
          .run(Assignment.list(values))
      }
    }
    try insert("List", ["title=Home"])
    try insert("Item", ["title=Sweep", "done=no", "list:=(title == \"Home\")"])
    let plan = try InsertPlan(entity: "Item", in: layout)
    let records = #"{"title": "a", "done": true, "list": "x-coredata:///List/p1"}"#
    _ = try store.insert(
      MemorySource("\(records)\n\(records)"), format: .json, by: plan, in: layout)
    let all = try store.read { connection in
      try (1...3).map { try connection.changes(in: Int64($0), of: layout) }
    }
    #expect(
      all == [
        ["insert List 1"], ["insert Item 1", "update List 1 items"],
        ["insert Item 2", "insert Item 3", "update List 1 items"],
      ])
    let versions = try store.read { try $0.rows("SELECT Z_OPT FROM ZLIST") }
    #expect(versions == [[.integer(3)]])
  }
}
