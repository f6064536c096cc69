import StoreDiagnostics
import Foundation
import PlainSQLite
import StoreModel
import StoreTestSupport
import Testing
import TestSupport

@testable import SQLiteAccess
@testable import StoreCore
@testable import StoreVerification

/// A file is removed only if it is certainly orphaned.
@Suite struct OrphanFileTests {
  private let graph: GraphStore
  private let files: ExternalFiles
  /// Two hours from now, when the test's files are old enough to be removed.
  private let later = Date().timeIntervalSince1970 + 7200

  init() throws {
    graph = try GraphStore()
    try graph.importing(#"{"$entity": "Thing", "key": "a"}"#)
    try graph.store.close()
    files = try ExternalFiles(of: graph)
  }

  private func repair(_ sql: String = "", at now: Double? = nil) throws -> RepairResult {
    if !sql.isEmpty { try graph.file.edit(sql) }
    let store = try GraphStore(reopening: graph).store
    var outcome = try store.repair(in: graph.layout, now: now ?? later)
    // The sums of test stores are wrong.
    outcome.remaining.removeAll { $0.code == "verify.wrong-sum" }
    return outcome
  }

  @Test func onlyTheFileOfNoRowGoes() throws {
    try files.put(ExternalFiles.named, ExternalFiles.orphan)
    let outcome = try repair(
      "UPDATE ZTHING SET ZPHOTO = \(ExternalFiles.value(ExternalFiles.named))")
    #expect(outcome.repaired.map(\.examples) == [[ExternalFiles.orphan]])
    #expect(outcome.repaired.map(\.code) == ["verify.orphan-file"])
    #expect(try files.names == [ExternalFiles.named])
    #expect(try repair() == RepairResult())
  }

  /// Leftovers of a migration, other tables and names in lower case count as references too.
  @Test(arguments: [
    "UPDATE ZTHING SET ZDATA = VALUE", "UPDATE ZTHING SET Z_ENT = 3, ZPHOTO = VALUE",
    "ALTER TABLE ZTAG ADD ZOLD BLOB; INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZOLD) VALUES (1, 5, 1, VALUE)",
    "CREATE TABLE OTHER (a); INSERT INTO OTHER VALUES (VALUE)",
  ])
  func aFileThatAnythingNamesStays(_ sql: String) throws {
    try files.put(ExternalFiles.orphan)
    let value = ExternalFiles.value(ExternalFiles.orphan)
    _ = try repair(
      sql.replacingOccurrences(of: "VALUE", with: value).replacingOccurrences(
        of: "\(value)S", with: "VALUES"))
    #expect(try files.names == [ExternalFiles.orphan])
  }

  @Test func aNameInLowerCaseCounts() throws {
    try files.put(ExternalFiles.named)
    let value = ExternalFiles.value(ExternalFiles.named.lowercased())
    _ = try repair("UPDATE ZTHING SET ZPHOTO = \(value)")
    #expect(try files.names == [ExternalFiles.named])
  }

  /// A writer creates the file before it commits the row.
  @Test func aYoungFileStays() throws {
    try files.put(ExternalFiles.orphan)
    let outcome = try repair(at: Date().timeIntervalSince1970 + OrphanFiles.restingTime - 60)
    #expect(outcome == RepairResult(youngFiles: [ExternalFiles.orphan]))
    #expect(try files.names == [ExternalFiles.orphan])
    // The modification time isn't used, because copying a file preserves it.
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 0)],
      ofItemAtPath: "\(graph.store.externalDataFolder)/\(ExternalFiles.orphan)")
    #expect(try repair(at: Date().timeIntervalSince1970).youngFiles == [ExternalFiles.orphan])
  }

  @Test func whatIsNotCoreDatasStays() throws {
    let names = [".DS_Store", ExternalFiles.named.lowercased(), "\(ExternalFiles.named).txt"]
    for name in names { try files.put(name) }
    try FileManager.default.createDirectory(
      atPath: "\(graph.store.externalDataFolder)/\(ExternalFiles.orphan)",
      withIntermediateDirectories: false)
    #expect(try repair() == RepairResult())
    #expect(try files.names == (names + [ExternalFiles.orphan]).sorted())
  }

  /// `Graph.db` has its values in the same folder.
  @Test func theFolderOfTwoStoresIsLeft() throws {
    try files.put(ExternalFiles.orphan)
    let other = graph.file.folder.path("Graph.db")
    try FileManager.default.copyItem(atPath: graph.file.path, toPath: other)
    #expect(try repair() == RepairResult())
    let found = try GraphStore(reopening: graph).store.verify(in: graph.layout)
    #expect(!found.contains { $0.code == "verify.orphan-file" })
    try FileManager.default.removeItem(atPath: other)
    #expect(try repair().repaired.count == 1)
    #expect(try files.names == [])
  }

  @Test func aMissingFileIsReportedAndStaysMissing() throws {
    let value = ExternalFiles.value(ExternalFiles.named)
    let outcome = try repair("UPDATE ZTHING SET ZPHOTO = \(value)")
    #expect(outcome.repaired == [])
    #expect(outcome.remaining.map(\.code) == ["verify.missing-file"])
    let store = try GraphStore(reopening: graph)
    #expect(try store.store.verify(in: graph.layout).contains { $0.code == "verify.missing-file" })
    #expect(try store.rows("SELECT ZPHOTO NOT NULL FROM ZTHING") == ["1"])
  }

  /// The file may have been renamed, or a bit of its name in the store may be wrong.
  @Test func aStrayFileMayBeTheOneThatIsMissing() throws {
    try files.put(ExternalFiles.orphan)
    let value = ExternalFiles.value(ExternalFiles.named)
    let outcome = try repair("UPDATE ZTHING SET ZPHOTO = \(value)")
    #expect(outcome.doubtfulFiles == [ExternalFiles.orphan])
    #expect(outcome.repaired == [])
    #expect(try files.names == [ExternalFiles.orphan])
    try files.put(ExternalFiles.named)
    #expect(try repair().repaired.map(\.code) == ["verify.orphan-file"])
    #expect(try files.names == [ExternalFiles.named])
  }

  @Test func nothingIsRemovedWhileAnotherWrites() throws {
    try files.put(ExternalFiles.orphan)
    let writer = try PlainDatabase(graph.file.path)
    try writer.execute("BEGIN IMMEDIATE")
    #expect(throws: DatabaseError.locked(path: LocalPath(graph.file.path))) { try repair() }
    try writer.execute("ROLLBACK")
    #expect(try files.names == [ExternalFiles.orphan])
  }

  @Test func aDryRunRemovesNothing() throws {
    try files.put(ExternalFiles.orphan)
    let store = try GraphStore(reopening: graph).store
    #expect(try store.repairable(in: graph.layout, now: later).repaired.count == 1)
    #expect(try files.names == [ExternalFiles.orphan])
  }
}
