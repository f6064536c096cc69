import StoreDiagnostics
import Foundation
import PlainSQLite
import SampleData
import StoreTestSupport
import Testing

@testable import SQLiteAccess
@testable import StoreCore
@testable import StoreVerification

/// A compacted store has the same contents as before.
@Suite struct CompactionTests {
  private let graph: GraphStore
  private let files: ExternalFiles

  init() throws {
    let graph = try GraphStore()
    try graph.store.write { connection in
      try RandomGraph(seed: 7, count: 60).insert(into: connection, graph.layout)
    }
    try graph.store.close()
    self.graph = graph
    try graph.file.edit("DELETE FROM ZTHING WHERE Z_PK % 4 > 0; DELETE FROM Z_1TAGS")
    files = try ExternalFiles(of: graph)
  }

  private func compacted(now: Double, removesFiles: Bool = true) throws -> CompactionResult {
    let store = try Store.openExclusively(LocalPath(graph.file.path))
    return try Compaction(of: store, now: now)
      .run(removingFilesIn: removesFiles ? graph.layout : nil)
  }

  private var later: Double { Date().timeIntervalSince1970 + 7200 }

  @Test(arguments: ["wal", "delete", "truncate"])
  func allRowsStay(_ journal: String) throws {
    try graph.file.edit("PRAGMA journal_mode = \(journal)")
    let before = try GraphStore(reopening: graph).dump()
    let result = try compacted(now: later)
    #expect(result.freeBytes > 0)
    #expect(result.bytesAfter ?? .max < result.bytesBefore)
    let store = try GraphStore(reopening: graph)
    #expect(try store.dump() == before)
    try store.store.close()
    #expect(try PlainDatabase(graph.file.path).text("PRAGMA freelist_count") == "0")
    // The other journal modes aren't stored in the file.
    if journal == "wal" {
      #expect(try PlainDatabase(graph.file.path).text("PRAGMA journal_mode") == "wal")
    }
    #expect(try PlainDatabase(graph.file.path).text("PRAGMA auto_vacuum") == "2")
  }

  @Test func filesOfNoRowGoWhereThatIsAsked() throws {
    try files.put(ExternalFiles.orphan)
    let told = try compacted(now: later, removesFiles: false)
    #expect(told.orphanFiles == [ExternalFiles.orphan] && told.removedFiles == [])
    #expect(try files.names == [ExternalFiles.orphan])
    let young = try compacted(now: Date().timeIntervalSince1970)
    #expect(young.youngFiles == [ExternalFiles.orphan] && young.removedFiles == [])
    let result = try compacted(now: later)
    #expect(result.removedFiles == [ExternalFiles.orphan] && result.filesLeft == [])
    #expect(try files.names == [])
  }

  /// The orphaned file might be the missing one.
  @Test func aFileThatMayBeMissedStays() throws {
    try files.put(ExternalFiles.orphan)
    try graph.file.edit(
      "UPDATE ZTHING SET ZPHOTO = \(ExternalFiles.value(ExternalFiles.named)) WHERE Z_PK = 4")
    let result = try compacted(now: later)
    #expect(result.doubtfulFiles == [ExternalFiles.orphan] && result.removedFiles == [])
    #expect(try files.names == [ExternalFiles.orphan])
  }

  @Test func aDamagedStoreIsLeftAlone() throws {
    var bytes = try Data(contentsOf: URL(fileURLWithPath: graph.file.path))
    for index in 3 * 4096..<3 * 4096 + 64 { bytes[index] = 0x5A }
    try bytes.write(to: URL(fileURLWithPath: graph.file.path))
    #expect(throws: (any Error).self) { try compacted(now: later) }
    #expect(try Data(contentsOf: URL(fileURLWithPath: graph.file.path)) == bytes)
  }
}
