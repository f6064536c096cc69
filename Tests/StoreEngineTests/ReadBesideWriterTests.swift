import Foundation
import PlainSQLite
import StoreDiagnostics
import StoreModel
@testable import SQLiteAccess
import StoreTestSupport
import TestSupport
import Testing

@testable import StoreCore
@testable import StoreEngine

/// Reading without locks (docs/formats/store-layout.md, "Reading without a trace").
@Suite struct ReadBesideWriterTests {
  private let fixture: StoreFixture

  init() throws {
    fixture = try StoreFixture()
    try fixture.edit("INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZTITLE) VALUES (1, 1, 1, 'old')")
    try write("old")
  }

  /// Writes like a program that checkpoints the `-wal` and exits.
  private func write(_ title: String) throws {
    let writer = try PlainDatabase(fixture.path)
    try writer.execute("PRAGMA journal_mode = WAL; UPDATE ZITEM SET ZTITLE = '\(title)'")
    try writer.close()
  }

  private func title(_ connection: Connection) throws -> SQLiteValue? {
    try connection.rows("SELECT ZTITLE FROM ZITEM").first?.first
  }

  @Test func aWriteDuringAReadIsAnError() throws {
    let store = try Store.open(LocalPath(fixture.path), .reading)
    #expect(throws: DatabaseError.writtenMeanwhile(path: LocalPath(fixture.path))) {
      try store.read { connection in
        _ = try title(connection)
        try write("new")
      }
    }
  }

  @Test func aWriteBetweenReadsIsAnError() throws {
    let store = try Store.open(LocalPath(fixture.path), .reading)
    #expect(try store.read(title) == .text("old"))
    try write("new")
    #expect(throws: DatabaseError.writtenMeanwhile(path: LocalPath(fixture.path))) {
      try store.read(title)
    }
    #expect(try Store.open(LocalPath(fixture.path), .reading).read(title) == .text("new"))
  }

  /// A copy of a store whose `-shm` is missing, as in a backup.
  @Test func aCheckpointOfAWalWithoutSharedMemoryIsAnError() throws {
    let copy = try TemporaryFolder()
    let path = LocalPath(copy.path("Todo.sqlite"))
    let writer = try fixture.writer("UPDATE ZITEM SET ZTITLE = 'old'")
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(
        atPath: fixture.path + suffix, toPath: copy.path("Todo.sqlite\(suffix)"))
    }
    try writer.close()
    let store = try Store.open(path, .reading)
    #expect(try store.read(title) == .text("old"))
    let other = try PlainDatabase(copy.path("Todo.sqlite"))
    try other.execute("UPDATE ZITEM SET ZTITLE = 'new'")
    try other.close()
    #expect(throws: DatabaseError.writtenMeanwhile(path: path)) { try store.read(title) }
  }

  /// Torn pages may cause any error, such as a missing table.
  @Test func anErrorOfSQLiteGivesWay() throws {
    let store = try Store.open(LocalPath(fixture.path), .reading)
    #expect(throws: DatabaseError.writtenMeanwhile(path: LocalPath(fixture.path))) {
      try store.read { connection in
        try write("new")
        _ = try connection.rows("SELECT a FROM absent")
      }
    }
  }

  /// Torn pages may also contain values that our code can't decode.
  @Test func anErrorOfDecodingGivesWay() throws {
    let store = try Store.open(LocalPath(fixture.path), .reading)
    #expect(throws: DatabaseError.writtenMeanwhile(path: LocalPath(fixture.path))) {
      try store.read { _ in
        try write("new")
        throw UnreadableValue(
          problem: .missing, property: "title", found: .null, row: .object(entity: "Item", key: 1))
      }
    }
    #expect(throws: Cancelled.self) {
      try Store.open(LocalPath(fixture.path), .reading).read { _ in
        try write("newer")
        throw Cancelled()
      }
    }
  }

  @Test func readsWithoutAWriterAgree() throws {
    let store = try Store.open(LocalPath(fixture.path), .reading)
    for _ in 0..<3 { #expect(try store.read(title) == .text("old")) }
  }
}
