import StoreDiagnostics
import Foundation
import PlainSQLite
import StoreTestSupport
import Testing
import TestSupport

@testable import SQLiteAccess
@testable import StoreCore

/// Reading returns every row and doesn't change the files, regardless of their state.
@Suite struct StoreReadingTests {
  static let insertion = "INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZTITLE) VALUES (1, 1, 1, 'Tea')"

  private func expectTitles(
    _ expected: [SQLiteValue], at path: String, in folder: URL,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let before = try StoreFixture.contents(of: folder)
    do {
      let store = try Store.open(LocalPath(path), .reading)
      let titles = try store.read { try $0.rows("SELECT ZTITLE FROM ZITEM ORDER BY Z_PK") }
      #expect(titles.map { $0[0] } == expected, sourceLocation: sourceLocation)
    }
    let after = try StoreFixture.contents(of: folder)
    #expect(Set(after.keys) == Set(before.keys), sourceLocation: sourceLocation)
    #expect(after == before, "a file changed", sourceLocation: sourceLocation)
  }

  @Test func walModeWithNothingBesideIt() throws {
    let fixture = try StoreFixture()
    try fixture.edit(Self.insertion)
    #expect(try DatabaseFile(LocalPath(fixture.path)).journal == .wal)
    try expectTitles([.text("Tea")], at: fixture.path, in: fixture.folder.url)
  }

  @Test func rollbackJournal() throws {
    let fixture = try StoreFixture()
    try fixture.edit("PRAGMA journal_mode = DELETE; \(Self.insertion)")
    #expect(try DatabaseFile(LocalPath(fixture.path)).journal == .rollback)
    try expectTitles([.text("Tea")], at: fixture.path, in: fixture.folder.url)
  }

  @Test(.enabled(if: SQLiteShell.executable != nil, "the sqlite3 shell isn't installed"))
  func besideALiveWriter() throws {
    let fixture = try StoreFixture()
    let writer = try SQLiteShell(
      fixture.path, "PRAGMA wal_autocheckpoint = 0; BEGIN; \(Self.insertion); COMMIT")
    try expectTitles([.text("Tea")], at: fixture.path, in: fixture.folder.url)
    try writer.close()
  }

  /// Copies the files of an active writer, as a crash would leave them.
  private func leftovers(
    _ suffixes: [String], name: String = "Todo.sqlite"
  ) throws -> TemporaryFolder {
    let fixture = try StoreFixture(name: name)
    let writer = try fixture.writer(Self.insertion)
    let copy = try TemporaryFolder()
    for suffix in suffixes {
      try FileManager.default.copyItem(
        atPath: fixture.path + suffix, toPath: copy.path("\(name)\(suffix)"))
    }
    try writer.close()
    return copy
  }

  @Test func walAndSharedMemoryWithoutAWriter() throws {
    let folder = try leftovers(["", "-wal", "-shm"])
    try expectTitles([.text("Tea")], at: folder.path("Todo.sqlite"), in: folder.url)
  }

  @Test func walWithoutSharedMemory() throws {
    let folder = try leftovers(["", "-wal"])
    try expectTitles([.text("Tea")], at: folder.path("Todo.sqlite"), in: folder.url)
  }

  @Test func walBesideAHeaderThatKnowsOfNone() throws {
    for suffixes in [["", "-wal"], ["", "-wal", "-shm"]] {
      let folder = try leftovers(suffixes)
      let file = URL(fileURLWithPath: folder.path("Todo.sqlite"))
      var bytes = Array(try Data(contentsOf: file))
      bytes.replaceSubrange(18...19, with: [1, 1])
      try Data(bytes).write(to: file)
      #expect(try DatabaseFile(LocalPath(file.path)).journal == .rollback)
      try expectTitles([.text("Tea")], at: file.path, in: folder.url)
    }
  }

  @Test func sharedMemoryWithoutWal() throws {
    let folder = try leftovers(["", "-shm"])
    try expectTitles([], at: folder.path("Todo.sqlite"), in: folder.url)
  }

  @Test func emptyWal() throws {
    let folder = try leftovers([""])
    try folder.write("", to: "Todo.sqlite-wal")
    try expectTitles([], at: folder.path("Todo.sqlite"), in: folder.url)
  }

  @Test(arguments: ["a b", "50%?#&=;+", "süß", "quote's \"", "file:x", "%41"])
  func anyName(_ name: String) throws {
    let file = "\(name).sqlite"
    for suffixes in [["", "-wal"], ["", "-wal", "-shm"]] {
      let folder = try leftovers(suffixes, name: file)
      try expectTitles([.text("Tea")], at: folder.path(file), in: folder.url)
    }
    let folder = try leftovers([""], name: file)
    try expectTitles([], at: folder.path(file), in: folder.url)
  }

  @Test func aReadOnlyStoreCannotBeWritten() throws {
    let fixture = try StoreFixture()
    let store = try Store.open(LocalPath(fixture.path), .reading)
    #expect(throws: DatabaseError.self) {
      try store.read { try $0.run("DELETE FROM Z_METADATA") }
    }
  }
}
