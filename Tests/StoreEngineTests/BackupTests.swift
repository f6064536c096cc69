@testable import StoreDiagnostics
import Foundation
import PlainSQLite
import StoreTestSupport
import Testing
import TestSupport

@testable import SQLiteAccess
@testable import StoreCore
@testable import StoreLayout

@Suite struct BackupTests {
  private let fixture: StoreFixture
  private let backup: String

  init() throws {
    fixture = try StoreFixture()
    backup = fixture.folder.path("Todo.sqlite.v1.backup")
    try fixture.edit("INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZTITLE) VALUES (1, 1, 1, 'old')")
  }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: fixture.folder.url.path).sorted()
  }

  private func items(in path: String) throws -> [[SQLiteValue]] {
    try Store.open(LocalPath(path), .reading).read {
      try $0.rows("SELECT ZTITLE FROM ZITEM ORDER BY Z_PK")
    }
  }

  @Test func rowsInTheWALComeAlong() throws {
    let writer = try fixture.writer(
      "INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZTITLE) VALUES (2, 1, 1, 'new')")
    let store = try Store.open(LocalPath(fixture.path), .reading)
    try store.backUp(to: LocalPath(backup))
    try store.close()
    #expect(try items(in: backup) == [[.text("old")], [.text("new")]])
    #expect(try Store.open(LocalPath(backup), .reading).metadata == store.metadata)
    try writer.close()
    #expect(try names() == ["Todo.sqlite", "Todo.sqlite.v1.backup"])
  }

  @Test func nothingIsOverwritten() throws {
    try fixture.folder.write("mine", to: "Todo.sqlite.v1.backup")
    let store = try Store.open(LocalPath(fixture.path), .reading)
    #expect(throws: DatabaseError.exists(path: LocalPath(backup))) {
      try store.backUp(to: LocalPath(backup))
    }
    #expect(try String(contentsOfFile: backup, encoding: .utf8) == "mine")
    #expect(try names() == ["Todo.sqlite", "Todo.sqlite.v1.backup"])
  }

  /// SQLite would use the file as the copy's journal, and reading the copy would return other rows.
  @Test(arguments: DatabaseFile.companions)
  func aStrayFileBesideTheNameIsInTheWay(suffix: String) throws {
    try fixture.folder.write("stray", to: "Todo.sqlite.v1.backup\(suffix)")
    let before = try fixture.contents()
    let store = try Store.open(LocalPath(fixture.path), .reading)
    #expect(throws: DatabaseError.exists(path: LocalPath(backup + suffix))) {
      try store.backUp(to: LocalPath(backup))
    }
    #expect(throws: DatabaseError.exists(path: LocalPath(backup + suffix))) {
      try store.copyForDryRun(to: LocalPath(backup))
    }
    #expect(try fixture.contents() == before)
  }

  /// A copy is compared with the original, and changes by other programs are reported.
  @Test(arguments: [
    ("DELETE FROM ZITEM", CopyDifference.rows(table: "ZITEM", store: 1, copy: 0)),
    ("DROP TABLE ZLIST", .rows(table: "ZLIST", store: 0, copy: nil)),
    ("CREATE TABLE extra (a)", .rows(table: "extra", store: nil, copy: 0)),
    ("UPDATE Z_METADATA SET Z_UUID = 'other'", .metadata),
  ])
  func aCopyThatReadsOtherwiseIsNamed(change: String, difference: CopyDifference) throws {
    let store = try Store.open(LocalPath(fixture.path), .reading)
    try store.backUp(to: LocalPath(backup))
    try store.requireSameContent(in: LocalPath(backup))
    try PlainDatabase(backup).execute(change)
    #expect(throws: StoreLayoutError.copyDiffers(path: LocalPath(backup), difference)) {
      try store.requireSameContent(in: LocalPath(backup))
    }
  }

  @Test func aDamagedStoreIsNotBackedUp() throws {
    try fixture.edit(
      """
      WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
      INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZTITLE) SELECT i, 1, 1, 'row ' || i FROM n
      """)
    var bytes = try Data(contentsOf: URL(fileURLWithPath: fixture.path))
    // A leaf page in the middle of the table.
    let page = bytes.count / 4096 - 3
    bytes.replaceSubrange(
      page * 4096 + 8..<page * 4096 + 64, with: Data(repeating: 0xFF, count: 56))
    try bytes.write(to: URL(fileURLWithPath: fixture.path))
    let store = try Store.open(LocalPath(fixture.path), .reading)
    #expect { try store.backUp(to: LocalPath(backup)) } throws: { error in
      guard case DatabaseError.damaged(let path, _)? = error as? DatabaseError else { return false }
      return path == LocalPath(fixture.path)
    }
    #expect(try names() == ["Todo.sqlite"])
  }

  @Test func cancellingLeavesNothing() throws {
    try fixture.edit("CREATE TABLE filler (b); INSERT INTO filler VALUES (zeroblob(9000000))")
    let wish = Cancellation()
    wish.request()
    let store = try Store.open(LocalPath(fixture.path), .reading)
    #expect(throws: Cancelled()) { try store.backUp(to: LocalPath(backup), cancellation: wish) }
    #expect(try names() == ["Todo.sqlite"])
  }

  /// A value in an external file must still exist in the backup after the original file is removed.
  @Test func filesComeAlong() throws {
    let name = "6E1E8F0A-2C5F-4E0C-9B0B-0F6B8F0C7D11"
    try fixture.folder.write("large value", to: ".Todo_SUPPORT/_EXTERNAL_DATA/\(name)")
    try fixture.folder.write("not ours", to: ".Todo_SUPPORT/_EXTERNAL_DATA/readme")
    let store = try Store.open(LocalPath(fixture.path), .reading)
    try store.backUp(to: LocalPath(backup))
    #expect(ExternalFolder(path: store.externalDataFolder).remove(name) == .removed)
    let copy = try Store.open(LocalPath(backup), .reading)
    #expect(
      copy.externalDataFolder
        == LocalPath(
          fixture.folder.path(".Todo.sqlite.v1_SUPPORT/_EXTERNAL_DATA")))
    #expect(
      try ExternalFolder(path: copy.externalDataFolder).read(name) == Array("large value".utf8))
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: "\(copy.externalDataFolder)") == [name])
  }

  // MARK: Exclusive access

  @Test(arguments: ["WAL", "DELETE"])
  func noOneElseHasTheStore(_ journal: String) throws {
    try fixture.edit("PRAGMA journal_mode = \(journal)")
    let store = try Store.openExclusively(LocalPath(fixture.path))
    #expect(throws: DatabaseError.locked(path: LocalPath(fixture.path))) {
      _ = try Store.open(LocalPath(fixture.path), .writing).write {
        try $0.run("DELETE FROM ZITEM")
      }
    }
    try store.backUp(to: LocalPath(backup))
    _ = try store.write { try $0.run("UPDATE ZITEM SET ZTITLE = 'newer'") }
    try store.close()
    #expect(try items(in: fixture.path) == [[.text("newer")]])
    #expect(try items(in: backup) == [[.text("old")]])
  }

  @Test func aStoreThatIsOpenElsewhereIsLocked() throws {
    let writer = try fixture.writer("UPDATE ZITEM SET Z_OPT = 2")
    #expect(throws: DatabaseError.locked(path: LocalPath(fixture.path))) {
      try Store.openExclusively(LocalPath(fixture.path))
    }
    try writer.close()
    try Store.openExclusively(LocalPath(fixture.path)).close()
  }

  @Test func aStoreThatWasFoundIsOpenedAgainAlone() throws {
    let found = try Store.open(LocalPath(fixture.path), .reading)
    let store = try found.reopenedExclusively()
    _ = try store.write { try $0.run("UPDATE ZITEM SET ZTITLE = 'newer'") }
    try store.close()
    #expect(try items(in: fixture.path) == [[.text("newer")]])
  }

  @Test func aStoreThatIsMigratedInBetweenIsLocked() throws {
    let found = try Store.open(LocalPath(fixture.path), .reading)
    var migrated = found.metadata
    migrated.set(
      ModelFingerprint(identifiers: ["v2"], hashes: ["Item": [2]], digest: "", checksum: ""))
    let other = try Store.open(LocalPath(fixture.path), .writing)
    try other.write { try $0.setMetadata(migrated) }
    try other.close()
    #expect(throws: DatabaseError.locked(path: LocalPath(fixture.path))) {
      try found.reopenedExclusively()
    }
  }
}
