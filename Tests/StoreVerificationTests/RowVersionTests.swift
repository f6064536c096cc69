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
@testable import StoreVerification

/// `Z_OPT` at its greatest value: increasing it results in 1, and never in a REAL.
@Suite struct RowVersionTests {
  struct Write: CustomTestStringConvertible {
    var testDescription: String
    /// Existing rows that the write changes, such as `ZTHING 1`.
    var changes: [String]
    var run: @Sendable (GraphStore) throws -> Void

    init(
      _ name: String, changes: String..., run: @escaping @Sendable (GraphStore) throws -> Void
    ) {
      testDescription = name
      self.changes = changes
      self.run = run
    }
  }

  static let writes = [
    Write("batch-update", changes: "ZTHING 1", "ZTHING 2") {
      try $0.update("Thing", ["flag=true"])
    },
    Write("batch-update of a one-to-one", changes: "ZBEING 1", "ZBEING 2") {
      try $0.update(
        "Person", ["spouse:=(key == \"Bob\")"], where: "key == \"Ann\"")
    },
    Write(
      "batch-update of an owner", changes: "ZBEING 1", "ZBEING 2", "ZTHING 1"
    ) {
      try $0.update(
        "Thing", ["owner=x-coredata:///Person/p2"], where: "key == \"cup\"")
    },
    Write("batch-delete of one reference's row", changes: "ZBEING 1") {
      try Self.delete("Passport", in: $0)
    },
    Write("batch-delete of one side of pairs", changes: "ZBEING 1") {
      try Self.delete("Tag", in: $0)
    },
    Write("batch-delete of members", changes: "ZBEING 1") {
      try Self.delete("Thing", in: $0)
    },
    Write("import of a partner", changes: "ZBEING 1", "ZPASSPORT 1") {
      try $0.importing(
        #"{"$entity": "Person", "key": "new", "passport": "x-coredata:///Passport/p1"}"#)
    },
    Write("import of members", changes: "ZBEING 1", "ZTAG 1", "ZTHING 1") {
      try $0.importing(
        """
        {"$entity": "Thing", "owner": "x-coredata:///Person/p1", "labels": ["x-coredata:///Tag/p1"],
         "children": ["x-coredata:///Thing/p1"]}
        """)
    },
    Write("batch-insert of a member", changes: "ZBEING 1") {
      try Self.insert(#"{"owner": "x-coredata:///Person/p1"}"#, "Thing", .fail, in: $0)
    },
    Write("link", changes: "ZBEING 1", "ZBEING 2", "ZTHING 1") {
      try Self.link(.link, "key == \"Bob\"", "key == \"cup\"", in: $0)
    },
    Write("unlink", changes: "ZBEING 1", "ZTHING 1", "ZTHING 2") {
      try Self.link(.unlink, "key == \"Ann\"", "TRUEPREDICATE", in: $0)
    },
    Write("verify --repair", changes: "ZBEING 2", "ZTAG 1") {
      try $0.store.close()
      try $0.file.edit(
        "UPDATE ZBEING SET ZSPOUSE = 77 WHERE Z_PK = 2; INSERT INTO Z_1TAGS VALUES (77, 1, 1, 1)")
      let damaged = try GraphStore(reopening: $0)
      _ = try damaged.store.repair(in: damaged.layout)
    },
  ]

  private static func delete(_ entity: String, in graph: GraphStore) throws {
    let plan = try BatchDelete(entity: entity).plan(in: graph.layout)
    _ = try graph.store.delete(plan, in: graph.layout)
  }

  private static func link(
    _ kind: BatchLink.Kind, _ owners: String, _ things: String, in graph: GraphStore
  ) throws {
    let plan = try BatchLink(
      kind, entity: "Person", relationship: "things", where: FormatPredicate(parsing: owners),
      to: FormatPredicate(parsing: things)
    ).plan(in: graph.layout, storeUUID: nil)
    _ = try graph.store.link(by: plan, in: graph.layout)
  }

  private static func insert(
    _ text: String, _ entity: String, _ policy: ConflictPolicy, in graph: GraphStore
  ) throws {
    let plan = try InsertPlan(entity: entity, in: graph.layout)
    _ = try graph.store.insert(
      MemorySource(Array(text.utf8), name: "in.json"), format: .json, by: plan, in: graph.layout,
      on: policy)
  }

  private static let greatest = "9223372036854775807"

  /// Returns rows whose version changed, as `ZTHING 1 2` with the new version.
  private func changed(
    _ graph: GraphStore, keepsHistory: Bool = true, by run: (GraphStore) throws -> Void
  ) throws -> [String] {
    let tables = graph.layout.tables.map(\.name)
    let raising = tables.map { "UPDATE \($0) SET Z_OPT = \(Self.greatest);" }.joined()
    try graph.store.close()
    if keepsHistory { try graph.file.keepHistory() }
    try graph.file.edit(raising)
    let full = try GraphStore(reopening: graph)
    let counts = try tables.map { try full.rows("SELECT max(Z_PK) FROM \(name: $0)")[0] }
    try run(full)
    let after = try GraphStore(reopening: graph)
    return try zip(tables, counts).flatMap { table, count in
      try after.rows(
        """
        SELECT Z_PK, Z_OPT FROM \(name: table) WHERE Z_OPT IS NOT 9223372036854775807 \
        AND Z_PK <= \(value: .integer(Int64(count) ?? 0)) ORDER BY 1
        """
      ).map { "\(table) \($0)" }
    }
  }

  /// Both sides of a link change, regardless of whether the store has a history.
  @Test(arguments: writes, [true, false])
  func theGreatestIsFollowedByOne(_ write: Write, _ keepsHistory: Bool) throws {
    let graph = try GraphStore()
    try graph.importing(
      """
      {"$entity": "Person", "$id": "p", "key": "Ann", "passport": {"key": "PA"},
       "tags": [{"$entity": "Tag"}]}
      {"$entity": "Person", "key": "Bob"}
      {"$entity": "Thing", "key": "cup", "owner": "p"}
      {"$entity": "Gadget", "key": "fan", "owner": "p"}
      """)
    #expect(
      try changed(graph, keepsHistory: keepsHistory, by: write.run)
        == write.changes.map { "\($0) 1" })
  }

  @Test func anUpsertOfTheGreatest() throws {
    let graph = try GraphStore(SampleModels.league)
    try Self.insert(#"{"name": "Tigers", "city": "Ulm"}"#, "Team", .fail, in: graph)
    let changed = try changed(graph) {
      try Self.insert(#"{"name": "Tigers", "city": "Rom"}"#, "Team", .update, in: $0)
    }
    #expect(changed == ["ZTEAM 1 1"])
  }

  /// Values that older versions of storetool and other programs may have written.
  @Test(arguments: [("9.3e18", "1"), ("1", "2"), ("-9223372036854775808", "0"), ("NULL", "NULL")])
  func anyValueBecomesAnInteger(_ stored: String, _ next: String) throws {
    let graph = try GraphStore.sample()
    try graph.store.close()
    try graph.file.edit("UPDATE ZTHING SET Z_OPT = \(stored)")
    let edited = try GraphStore(reopening: graph)
    try edited.update("Thing", ["text=x"])
    #expect(try edited.rows("SELECT DISTINCT Z_OPT FROM ZTHING") == [next])
  }
}
