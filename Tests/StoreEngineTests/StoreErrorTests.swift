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

@Suite struct StoreErrorTests {
  private func error(_ work: () throws -> Void) -> DatabaseError? {
    thrown(work) as? DatabaseError
  }

  private func fault(_ work: () throws -> Void) -> StoreLayoutError? {
    thrown(work) as? StoreLayoutError
  }

  private func thrown(_ work: () throws -> Void) -> (any Error)? {
    do {
      try work()
      return nil
    } catch {
      return error
    }
  }

  private func openingFault(_ path: String, _ access: Store.Access = .reading) -> StoreLayoutError?
  {
    fault { _ = try Store.open(LocalPath(path), access) }
  }

  private func openingError(_ path: String, _ access: Store.Access = .reading) -> DatabaseError? {
    error { _ = try Store.open(LocalPath(path), access) }
  }

  /// Returns a connection of another program, whose transactions stay open between calls.
  private func stranger(_ path: String) throws -> PlainDatabase {
    try PlainDatabase(path)
  }

  @Test func aMissingFileIsNotMade() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("Todo.sqlite")
    for access in [Store.Access.reading, .writing] {
      #expect(openingError(path, access) == .notFound(path: LocalPath(path)))
    }
    #expect(try StoreFixture.contents(of: folder.url).isEmpty)
  }

  @Test func whatIsNoStore() throws {
    let folder = try TemporaryFolder()
    #expect(openingError(folder.url.path) == .isFolder(path: LocalPath(folder.url.path)))
    let text = try folder.write("Dear diary", to: "a.txt")
    #expect(openingError(text) == .notADatabase(path: LocalPath(text)))
    let empty = try folder.write("", to: "empty.sqlite")
    #expect(openingError(empty) == .emptyFile(path: LocalPath(empty)))
    let log = try folder.write("0123", to: "empty.sqlite-wal")
    #expect(
      openingError(empty)
        == .emptyBesideJournal(path: LocalPath(empty), journal: LocalPath(log), bytes: 4))
    for (text, type) in [
      ("<?xml version=\"1.0\"?>\n<!DOCTYPE database SYSTEM \"file:///CoreData.dtd\">", .xml),
      ("<?xml version=\"1.0\"?>\n<database>\n  <databaseInfo>", .xml),
      ("bplist00", .binary), ("1234bplist00", .binary),
    ] as [(String, AtomicStoreType)] {
      let other = try folder.write(text + String(repeating: " ", count: 600), to: "other.xml")
      #expect(openingError(other) == .atomicStore(path: LocalPath(other), type))
    }
    let long = try folder.write(String(repeating: "x", count: 5000), to: "long.sqlite")
    #expect(openingError(long) == .notADatabase(path: LocalPath(long)))
    let plain = folder.path("plain.sqlite")
    try PlainDatabase(plain).execute("CREATE TABLE t (a)")
    #expect(openingFault(plain) == .notAStore(path: LocalPath(plain)))
  }

  @Test func aTruncatedStoreIsDamaged() throws {
    let fixture = try StoreFixture()
    let bytes = try Data(contentsOf: URL(fileURLWithPath: fixture.path))
    try bytes.prefix(5000).write(to: URL(fileURLWithPath: fixture.path))
    let found = try #require(openingError(fixture.path))
    guard case .damaged = found else {
      Issue.record("\(found)")
      return
    }
  }

  @Test func aLockedStoreIsBusy() throws {
    let fixture = try StoreFixture()
    try fixture.edit("PRAGMA journal_mode = DELETE")
    let other = try stranger(fixture.path)
    try other.execute("BEGIN EXCLUSIVE")
    #expect(openingError(fixture.path) == .locked(path: LocalPath(fixture.path)))
    try other.execute("COMMIT")
    #expect(openingError(fixture.path) == nil)
  }

  @Test func aWriterMakesWritersWait() throws {
    let fixture = try StoreFixture()
    let store = try Store.open(LocalPath(fixture.path), .writing)
    let other = try stranger(fixture.path)
    try other.execute("BEGIN IMMEDIATE")
    #expect(error { try store.write { _ in } } == .locked(path: LocalPath(fixture.path)))
    try other.execute("ROLLBACK")
    #expect(error { try store.write { _ in } } == nil)
  }

  @Test func historyOfAnUnknownFormIsNotWritten() throws {
    let fixture = try StoreFixture()
    try fixture.edit("CREATE TABLE ATRANSACTION (Z_PK INTEGER PRIMARY KEY, ZTIMESTAMP FLOAT)")
    let path = fixture.path
    #expect(
      openingFault(path, .writing)
        == .unknownHistory(path: LocalPath(path), table: "ACHANGE", column: "ZCHANGETYPE"))
    #expect(thrown { _ = try Store.open(LocalPath(path), .reading) } == nil)
  }

  @Test func triggersOfCoreDataAreRunAndOthersRefused() throws {
    let library = try StoreFixture(SampleModels.library)
    #expect(thrown { _ = try Store.open(LocalPath(library.path), .writing) } == nil)
    try library.edit(
      """
      CREATE TRIGGER Z_DA_ZBOOK_Book_title_SOURCE_INSERT AFTER INSERT ON ZBOOK BEGIN
        UPDATE ZBOOK SET ZTITLE = TITLE_OF(Z_PK); END
      """)
    #expect(
      openingFault(library.path, .writing)
        == .triggerFunction(
          path: LocalPath(library.path), name: "Z_DA_ZBOOK_Book_title_SOURCE_INSERT",
          function: "TITLE_OF"))
    try library.edit("CREATE TRIGGER MINE AFTER DELETE ON ZBOOK BEGIN DELETE FROM ZVISIT; END")
    #expect(thrown { _ = try Store.open(LocalPath(library.path), .writing) } == nil)
    let store = try Store.open(LocalPath(library.path), .writing)
    #expect(
      fault { try store.write { _ = try $0.run("DELETE FROM ZBOOK") } }
        == .foreignTrigger(path: LocalPath(library.path), name: "MINE", table: "ZBOOK"))
    #expect(thrown { try store.write { _ = try $0.run("DELETE FROM ZZONE") } } == nil)
  }

  @Test func anInterruptedWriteWantsRecovery() throws {
    let fixture = try StoreFixture()
    try fixture.edit("PRAGMA journal_mode = DELETE")
    let writer = try stranger(fixture.path)
    let copy = try TemporaryFolder()
    try writer.execute(
      """
      PRAGMA cache_size = 1; PRAGMA cache_spill = 1; BEGIN;
      CREATE TABLE big (a);
      WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
      INSERT INTO big SELECT randomblob(500) FROM n;
      """)
    for suffix in ["", "-journal"] {
      try FileManager.default.copyItem(
        atPath: fixture.path + suffix, toPath: copy.path("Todo.sqlite\(suffix)"))
    }
    try writer.execute("ROLLBACK")
    let path = copy.path("Todo.sqlite")
    let before = try StoreFixture.contents(of: copy.url)
    #expect(openingError(path) == .needsRecovery(path: LocalPath(path)))
    #expect(try StoreFixture.contents(of: copy.url) == before)
  }
}
