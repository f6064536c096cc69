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
    try compare(store)
    try PlainDatabase(backup).execute(change)
    #expect(throws: StoreLayoutError.copyDiffers(path: LocalPath(backup), difference)) {
      try compare(store)
    }
  }

  private func compare(_ store: Store) throws {
    let path = LocalPath(backup)
    try store.read { try store.requireSameContent(in: path, as: path, $0) }
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

  private static let values = [
    "6E1E8F0A-2C5F-4E0C-9B0B-0F6B8F0C7D11", "0B1B6C6E-6B0E-4C8C-9A39-6B6B1F5B7D22",
    "9C0D8E9B-5A4F-4D5E-8F1C-2B3C4D5E6F33",
  ]

  private func writeValue(_ index: Int, _ text: String = "large value") throws {
    try fixture.folder.write(text, to: ".Todo_SUPPORT/_EXTERNAL_DATA/\(Self.values[index])")
  }

  private func copiedValues() throws -> [String] {
    try FileManager.default.contentsOfDirectory(
      atPath: fixture.folder.path(".Todo.sqlite.v1_SUPPORT/_EXTERNAL_DATA")
    ).sorted()
  }

  private func replaceBackup(
    of store: Store, cancellation: Cancellation = Cancellation(),
    progress: (Double) -> Void = { _ in }
  ) throws {
    try store.read {
      try store.preparedBackup(
        to: LocalPath(backup), replaces: true, on: $0, cancellation: cancellation,
        progress: progress)
    }
    .publish()
  }

  /// Another process deletes a row and its file while the pages are copied, and adds another.
  @Test func filesThatAreRemovedDuringTheCopyComeAlong() throws {
    try writeValue(0)
    try fixture.edit("CREATE TABLE filler (b); INSERT INTO filler VALUES (zeroblob(9000000))")
    let writer = try fixture.writer(
      "INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZTITLE) VALUES (2, 1, 1, 'new')")
    let store = try Store.open(LocalPath(fixture.path), .reading)
    var calls = 0
    try store.read { connection in
      try store.preparedBackup(
        to: LocalPath(backup), on: connection, cancellation: Cancellation()
      ) { _ in
        calls += 1
        guard calls == 1 else { return }
        ExternalFolder(path: store.externalDataFolder).remove(Self.values[0])
        #expect(throws: Never.self) {
          try writer.execute("DELETE FROM ZITEM")
          try writeValue(1)
        }
      }
    }
    .publish()
    #expect(calls > 1)
    #expect(try items(in: backup) == [[.text("old")], [.text("new")]])
    #expect(try copiedValues() == [Self.values[0]])
    try writer.close()
    #expect(try items(in: fixture.path) == [])
  }

  @Test func aReplacedBackupHasTheNewFilesOnly() throws {
    try writeValue(0)
    try writeValue(1)
    let store = try Store.open(LocalPath(fixture.path), .reading)
    try replaceBackup(of: store)
    #expect(try copiedValues() == [Self.values[0], Self.values[1]].sorted())
    ExternalFolder(path: store.externalDataFolder).remove(Self.values[0])
    try writeValue(2)
    try replaceBackup(of: store)
    #expect(try copiedValues() == [Self.values[1], Self.values[2]].sorted())
    // Another store with the same name has the same values.
    try FileManager.default.copyItem(
      atPath: fixture.path, toPath: fixture.folder.path("Todo.sqlite.v1.sqlite"))
    ExternalFolder(path: store.externalDataFolder).remove(Self.values[1])
    #expect(throws: DatabaseError.self) { try replaceBackup(of: store) }
    #expect(try copiedValues() == [Self.values[1], Self.values[2]].sorted())
  }

  /// A value of the replaced backup is removed after its folder was listed. This doesn't affect new values.
  @Test func newFilesComeAlongIfAnOldOneIsRemoved() throws {
    try writeValue(0)
    let store = try Store.open(LocalPath(fixture.path), .reading)
    try replaceBackup(of: store)
    try writeValue(1)
    var folder = try BackupFolder(of: store, beside: LocalPath(backup), replaces: true)
    try FileManager.default.removeItem(
      atPath: fixture.folder.path(".Todo.sqlite.v1_SUPPORT/_EXTERNAL_DATA/\(Self.values[0])"))
    #expect(throws: DatabaseError.writtenMeanwhile(path: store.path)) {
      try store.read { connection in try folder.fill(on: connection) {} }
    }
    #expect(try copiedValues() == [Self.values[1]])
    folder.discard()
    #expect(try copiedValues() == [])
  }

  @Test func aBackupThatIsNotReplacedKeepsItsFiles() throws {
    try writeValue(0)
    let store = try Store.open(LocalPath(fixture.path), .reading)
    try replaceBackup(of: store)
    try fixture.edit("CREATE TABLE filler (b); INSERT INTO filler VALUES (zeroblob(9000000))")
    let larger = try Store.open(LocalPath(fixture.path), .reading)
    ExternalFolder(path: store.externalDataFolder).remove(Self.values[0])
    try writeValue(1)
    let wish = Cancellation()
    wish.request()
    #expect(throws: Cancelled()) { try replaceBackup(of: larger, cancellation: wish) }
    #expect(try copiedValues() == [Self.values[0]])
    // A file of the backup with the same name has other bytes.
    try writeValue(0, "other value")
    #expect(throws: DatabaseError.self) { try replaceBackup(of: larger) }
    #expect(try copiedValues() == [Self.values[0]])
    #expect(try items(in: backup) == [[.text("old")]])
  }

  /// The values of both stores would be in the same folder.
  @Test(arguments: [false, true]) func aBackupWithTheNameOfTheStoreHasNoValues(
    replaces: Bool
  ) throws {
    let target = LocalPath(fixture.folder.path("Todo.backup"))
    if replaces { try fixture.folder.write("mine", to: "Todo.backup") }
    let store = try Store.open(LocalPath(fixture.path), .reading)
    func prepared() throws -> PreparedBackup {
      try store.read {
        try store.preparedBackup(
          to: target, replaces: replaces, on: $0, cancellation: Cancellation())
      }
    }
    // Another process commits a large value during a backup, which is then discarded.
    do {
      let backup = try prepared()
      try withExtendedLifetime(backup) { try writeValue(1) }
    }
    #expect(ExternalFolder(path: store.externalDataFolder).canRemove(Self.values[1]))
    #expect(throws: DatabaseError.exists(path: ExternalFolder.path(beside: target))) {
      _ = try prepared()
    }
    #expect(ExternalFolder(path: store.externalDataFolder).canRemove(Self.values[1]))
    ExternalFolder(path: store.externalDataFolder).remove(Self.values[1])
    try prepared().publish()
    #expect(try items(in: "\(target)") == [[.text("old")]])
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
