import StoreDiagnostics
import Foundation
import StoreModel
import StoreTestSupport
import Testing
import TestSupport

@testable import SQLiteAccess
@testable import StoreCore
@testable import StoreLayout
@testable import StoreVerification

/// A repair changes only what it reports, and a check doesn't change anything.
@Suite struct RepairTests {
  /// One person with members of every kind, in a store that keeps a history.
  private func graph() throws -> GraphStore {
    let graph = try GraphStore()
    try graph.importing(
      """
      {"$entity": "Person", "$id": "p", "tags": [{"$entity": "Tag"}, {"$entity": "Tag"}],
       "passport": {"key": "b"}, "things": [{"key": "a", "labels": [{"$entity": "Tag"}]}],
       "favourites": [{"key": "f"}], "keepsakes": [{"key": "k"}, {"key": "l"}],
       "friends": [{"$entity": "Person"}]}
      {"$entity": "Thing", "parent": {"$entity": "Gadget", "key": "c"}, "owner": "p"}
      """)
    try graph.store.close()
    try graph.file.keepHistory()
    return graph
  }

  private func damaged(_ graph: GraphStore) throws -> GraphStore {
    try graph.file.edit(Self.damage)
    return try GraphStore(reopening: graph)
  }

  /// Thing 1 loses two references at once, tag 1 loses its being, and person 1 loses its first tag.
  private static let damage = """
    UPDATE ZTHING SET ZOWNER = 77, ZPARENT = 78, Z_FOK_PARENT = 2048 WHERE Z_PK = 1;
    UPDATE ZTHING SET Z6_PARENT = 5 WHERE Z6_PARENT = 7;
    UPDATE ZTHING SET Z2KEEPSAKES = 79 WHERE ZKEY = 'k';
    INSERT INTO Z_1TAGS (Z_1BEINGS, Z_5TAGS, Z_FOK_1BEINGS, Z_FOK_5TAGS)
      VALUES (1, 80, 2048, 9216), (81, 2, 9216, 2048), (82, 83, 1, 1);
    UPDATE Z_PRIMARYKEY SET Z_MAX = 1 WHERE Z_NAME = 'Thing';
    INSERT INTO ATRANSACTIONSTRING (Z_PK, Z_ENT, ZNAME) VALUES (5, 16003, 'app');
    """

  /// Returns every row of every table, as any program would read it.
  private func dump(_ graph: GraphStore) throws -> [String] {
    let tables = try graph.store.read {
      try $0.rows("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
    }
    return try tables.compactMap { $0.first?.text }.flatMap { table in
      try graph.rows("SELECT * FROM \(name: table) ORDER BY 1, 2").map { "\(table) \($0)" }
    }
  }

  @Test func changesOnlyWhatItSays() throws {
    let graph = try damaged(graph())
    let before = try dump(graph)
    let outcome = try graph.store.repair(in: graph.layout)
    let after = try dump(graph).map { line in
      // The time of the transaction.
      line.hasPrefix("ATRANSACTION ")
        ? line.replacing(/\b[0-9]+\.[0-9]+\b/, with: "TIME") : line
    }
    let said = outcome.repaired.map(\.message)
    let changed = Golden.lineDifference(
      from: before.joined(separator: "\n"), to: after.joined(separator: "\n"))
    Golden.expect(
      said.joined(separator: "\n") + "\n\n" + changed + "\n", matches: "repair.txt")
  }

  @Test func isInTheHistory() throws {
    let graph = try damaged(graph())
    _ = try graph.store.repair(in: graph.layout)
    #expect(
      try graph.store.read { try $0.changes(in: 1, of: graph.layout) } == [
        "update Person 1 tags", "update Tag 2 beings", "update Thing 1 owner, parent",
        "update Thing 5 parent",
      ])
  }

  @Test func twiceIsOnce() throws {
    let graph = try damaged(graph())
    let planned = try graph.store.repairable(in: graph.layout)
    let outcome = try graph.store.repair(in: graph.layout)
    #expect(outcome == planned)
    #expect(outcome.repaired.count == 7)
    let once = try dump(graph)
    #expect(try graph.store.repair(in: graph.layout).repaired == [])
    #expect(try dump(graph) == once)
    let left = try graph.store.verify(in: graph.layout).map(\.code)
    #expect(left.filter { $0 != "verify.wrong-sum" } == [])
  }

  @Test func requiredReferencesAreLeft() throws {
    let graph = try graph()
    try graph.file.edit("UPDATE ZPASSPORT SET ZHOLDER = 77")
    let damaged = try GraphStore(reopening: graph)
    let before = try dump(damaged)
    #expect(try damaged.store.repair(in: damaged.layout).repaired == [])
    #expect(try dump(damaged) == before)
  }

  @Test func aDamagedFileIsRefused() throws {
    let graph = try graph()
    // The index no longer matches the table's rows.
    try graph.file.edit(
      """
      UPDATE ZTHING SET ZOWNER = 77 WHERE Z_PK = 1; PRAGMA writable_schema = ON;
      UPDATE sqlite_master SET sql = replace(sql, '(ZOWNER)', '(ZPARENT)')
        WHERE name = 'ZTHING_ZOWNER_INDEX';
      """)
    let damaged = try GraphStore(reopening: graph)
    #expect(throws: DatabaseError.self) { try damaged.store.repair(in: damaged.layout) }
    #expect(try damaged.rows("SELECT ZOWNER FROM ZTHING WHERE Z_PK = 1") == ["77"])
  }

  // MARK: Checking

  @Test func checkingLeavesNoTrace() throws {
    let graph = try damaged(graph())
    try graph.store.close()
    let folder = try ExternalFiles(of: graph)
    try folder.put(ExternalFiles.orphan)
    let before = try folder.snapshot()
    try check(graph.file.path, graph.layout)
    #expect(try folder.snapshot() == before)
  }

  @Test(.enabled(if: SQLiteShell.executable != nil, "the sqlite3 shell isn't installed"))
  func checkingLeavesNoTraceBesideAWriter() throws {
    let graph = try damaged(graph())
    try graph.store.close()
    let folder = try ExternalFiles(of: graph)
    try folder.put(ExternalFiles.orphan)
    let writer = try SQLiteShell(
      graph.file.path, "PRAGMA wal_autocheckpoint = 0; BEGIN; UPDATE ZTHING SET ZCOUNT16 = 1")
    let before = try folder.snapshot()
    #expect(before["Graph.sqlite-wal"] != nil)
    try check(graph.file.path, graph.layout)
    #expect(try folder.snapshot() == before)
    try writer.close()
  }

  private func check(_ path: String, _ layout: StoreLayout) throws {
    let store = try Store.open(LocalPath(path), .reading)
    #expect(try store.verify(in: layout).count > 7)
    #expect(try store.repairable(in: layout).repaired.count == 7)
    #expect(try store.extent().rows > 7)
    try store.close()
  }
}
