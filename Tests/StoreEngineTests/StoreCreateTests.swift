import Foundation
import PlainSQLite
import TestSupport
import Testing

@testable import StoreVerification
@testable import StoreSQL
@testable import SQLiteAccess
@testable import StoreLayout
@testable import StoreEngine

@Suite struct StoreCreateTests {
  @Test func aNewStoreIsOneFileWithCoreDatasSettings() throws {
    let fixture = try StoreFixture()
    #expect(try fixture.contents().keys.sorted() == ["Todo.sqlite"])
    let description = try Store.describe(fixture.path)
    #expect(description.file.journal == .wal)
    #expect(
      description.pages
        == .init(
          size: 4096, count: description.pages.count, freeCount: 0, autoVacuum: 2,
          encoding: "UTF-8"))
    #expect(description.modelCacheBytes == nil)
    #expect(description.remarks.isEmpty)
    #expect(
      description.entities.map { "\($0.number) \($0.name) \($0.table ?? "-") \($0.rowCount)" }
        == ["1 Item ZITEM 0", "2 List ZLIST 0"])
  }

  @Test func metadataHasCoreDatasKeys() throws {
    let fixture = try StoreFixture()
    let metadata = try Store.open(fixture.path, .reading).metadata
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
    #expect(metadata.hashes == StoreFixture.fingerprint.hashes)
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
      try Store.open(fixture.path, .reading).layout(for: SampleModels.library).entities
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
      #expect(throws: DatabaseError.exists(path: folder.path(inTheWay))) {
        try Store.create(
          at: folder.path("\(name).sqlite"), layout: StoreLayout(model: SampleModels.todo),
          metadata: StoreMetadata(for: StoreFixture.fingerprint))
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
        at: folder.path("Todo.sqlite"), layout: layout,
        metadata: StoreMetadata(for: StoreFixture.fingerprint))
    }
    #expect(try StoreFixture.contents(of: folder.url).isEmpty)
    let missing = folder.path("none/Todo.sqlite")
    #expect(throws: DatabaseError.folderMissing(path: missing)) {
      try Store.create(
        at: missing, layout: StoreLayout(model: SampleModels.todo),
        metadata: StoreMetadata(for: StoreFixture.fingerprint))
    }
  }

  @Test func writingIsAllOrNothing() throws {
    let fixture = try StoreFixture()
    let store = try Store.open(fixture.path, .writing)
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
    let store = try Store.open(fixture.path, .writing)
    let plan = try InsertPlan(entity: "Item", in: store.layout(for: SampleModels.todo))
    #expect(
      throws: DatabaseError.damaged(
        path: fixture.path, message: "Z_PRIMARYKEY has no keys left for 'Item'")
    ) {
      try store.write { try KeyAllocator($0).lastKey(for: plan) }
    }
  }

  @Test func aUniquenessConflictIsAConstraint() throws {
    let fixture = try StoreFixture()
    try fixture.edit("CREATE UNIQUE INDEX u ON ZLIST (ZTITLE)")
    let store = try Store.open(fixture.path, .writing)
    let insertion: SQL = "INSERT INTO ZLIST (ZTITLE) VALUES ('a'), ('a')"
    #expect(
      throws: DatabaseError.constraint(
        path: fixture.path, message: "UNIQUE constraint failed: ZLIST.ZTITLE")
    ) { try store.write { try $0.run(insertion) } }
  }
}
