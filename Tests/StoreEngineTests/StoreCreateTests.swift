import StoreDiagnostics
import Foundation
import PlainSQLite
import SampleData
import StoreTestSupport
import Testing
import TestSupport

@testable import SQLiteAccess
@testable import StoreCore
@testable import StoreLayout

@Suite struct StoreCreateTests {
  @Test func metadataHasCoreDatasKeys() throws {
    let fixture = try StoreFixture()
    let metadata = try Store.open(LocalPath(fixture.path), .reading).metadata
    #expect(UUID(uuidString: metadata.uuid)?.uuidString == metadata.uuid)
    #expect(
      metadata.entries.keys.sorted() == [
        "NSPersistenceFrameworkVersion", "NSStoreModelVersionChecksumKey",
        "NSStoreModelVersionHashes", "NSStoreModelVersionHashesDigest",
        "NSStoreModelVersionHashesVersion", "NSStoreModelVersionIdentifiers", "NSStoreType",
        "_NSAutoVacuumLevel",
      ])
    #expect(metadata.frameworkVersion == 1344)
    #expect(metadata[.storeType] == .string("SQLite"))
    #expect(metadata[.hashesVersion] == .integer(3))
    #expect(metadata[.autoVacuumLevel] == .string("2"))
    #expect(metadata.modelIdentifiers == ["v1"])
    #expect(metadata.hashes == SampleModels.todoFingerprint.hashes)
    #expect(metadata.digest == "digest")
    #expect(metadata.checksum == "checksum")
    #expect(metadata.applicationEntries.isEmpty)
  }

  @Test func theSchemaIsTheLayouts() throws {
    let fixture = try StoreFixture(SampleModels.library)
    let layout = StoreLayout(model: SampleModels.library)
    let made = try PlainDatabase(fixture.path)
      .texts("SELECT sql FROM sqlite_master WHERE sql NOT NULL ORDER BY rowid")
    #expect(made == layout.statements.map(\.literalText))
    #expect(
      try Store.open(LocalPath(fixture.path), .reading).layout(for: SampleModels.library).entities
        == layout.entities)
  }

  @Test func anExistingFileIsNeverOverwritten() throws {
    let folder = try TemporaryFolder()
    for name in ["a.sqlite", "b.sqlite-wal", "c.sqlite-shm", "d.sqlite-journal"] {
      try folder.write("mine", to: name)
    }
    let before = try StoreFixture.contents(of: folder.url)
    for (name, inTheWay) in [
      ("a", "a.sqlite"), ("b", "b.sqlite-wal"), ("c", "c.sqlite-shm"), ("d", "d.sqlite-journal"),
    ] {
      #expect(throws: DatabaseError.exists(path: LocalPath(folder.path(inTheWay)))) {
        try Store.create(
          at: LocalPath(folder.path("\(name).sqlite")),
          layout: StoreLayout(model: SampleModels.todo),
          metadata: StoreMetadata(for: SampleModels.todoFingerprint))
      }
    }
    #expect(try StoreFixture.contents(of: folder.url) == before)
  }

  @Test func aFailureLeavesNoFile() throws {
    let folder = try TemporaryFolder()
    var layout = StoreLayout(model: SampleModels.todo)
    layout.tables.append(layout.tables[0])
    #expect(throws: DatabaseError.self) {
      try Store.create(
        at: LocalPath(folder.path("Todo.sqlite")), layout: layout,
        metadata: StoreMetadata(for: SampleModels.todoFingerprint))
    }
    #expect(try StoreFixture.contents(of: folder.url).isEmpty)
    let missing = folder.path("none/Todo.sqlite")
    #expect(throws: DatabaseError.folderMissing(path: LocalPath(missing))) {
      try Store.create(
        at: LocalPath(missing), layout: StoreLayout(model: SampleModels.todo),
        metadata: StoreMetadata(for: SampleModels.todoFingerprint))
    }
  }

  @Test func writingIsAllOrNothing() throws {
    let fixture = try StoreFixture()
    let store = try Store.open(LocalPath(fixture.path), .writing)
    let plan = try InsertPlan(entity: "Item", in: store.layout(for: SampleModels.todo))
    func insert(_ key: Int64) -> SQL {
      "INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT) VALUES (\(value: .integer(key)), 1, 1)"
    }
    try store.write { connection in
      let keys = KeyAllocator(connection)
      #expect(try keys.lastKey(for: plan) == 0)
      try connection.run(insert(2))
      keys.take(upTo: 2, for: plan)
      try keys.record()
    }
    struct Stop: Error {}
    #expect(throws: Stop.self) {
      try store.write { connection in
        let keys = KeyAllocator(connection)
        #expect(try keys.lastKey(for: plan) == 2)
        keys.take(upTo: 3, for: plan)
        try keys.record()
        try connection.run("DELETE FROM ZITEM")
        throw Stop()
      }
    }
    #expect(try store.read { try $0.integer("SELECT count(*) FROM ZITEM") } == 1)
    #expect(try store.write { try KeyAllocator($0).lastKey(for: plan) } == 2)
  }

  @Test func aStoreWithoutKeysLeftIsDamaged() throws {
    let fixture = try StoreFixture()
    try fixture.edit("UPDATE Z_PRIMARYKEY SET Z_MAX = 9223372036854775807")
    let store = try Store.open(LocalPath(fixture.path), .writing)
    let plan = try InsertPlan(entity: "Item", in: store.layout(for: SampleModels.todo))
    #expect(
      throws: DatabaseError.damaged(
        path: LocalPath(fixture.path),
        message: "the highest key of 'Item' is too large for further rows")
    ) {
      try store.write { try KeyAllocator($0).lastKey(for: plan) }
    }
  }

  @Test func aUniquenessConflictIsAConstraint() throws {
    let fixture = try StoreFixture()
    try fixture.edit("CREATE UNIQUE INDEX u ON ZLIST (ZTITLE)")
    let store = try Store.open(LocalPath(fixture.path), .writing)
    let insertion: SQL = "INSERT INTO ZLIST (ZTITLE) VALUES ('a'), ('a')"
    #expect(
      throws: DatabaseError.constraint(
        path: LocalPath(fixture.path), message: "UNIQUE constraint failed: ZLIST.ZTITLE")
    ) { try store.write { try $0.run(insertion) } }
  }
}
