import Foundation
import StoreDiagnostics
import StoreModel
import TestSupport
import Testing

@testable import StoreEngine

/// Each kind of damage is found, and what can be repaired without loss is.
@Suite struct VerificationTests {
  private func graph() throws -> GraphStore {
    let graph = try GraphStore()
    try graph.importing(
      """
      {"$entity": "Person", "$id": "p", "tags": [{"$entity": "Tag"}], "things": [{"key": "a"}],
       "passport": {"key": "b"}}
      {"$entity": "Thing", "parent": {"$entity": "Gadget", "key": "c"}, "owner": "p"}
      """)
    return graph
  }

  private func findings(_ graph: GraphStore, after sql: String) throws -> [String] {
    try graph.store.close()
    try graph.file.edit(sql)
    return try findings(GraphStore(reopening: graph))
  }

  private func findings(_ graph: GraphStore) throws -> [String] {
    let uuid = graph.store.metadata.uuid
    return try graph.store.verify(in: graph.layout).map { finding in
      let found = finding.diagnostic
      let help = found.help.joined().split(separator: uuid).joined(separator: "STORE")
      return "\(found.severity) \(found.code) \(found.message) | \(help)"
    }.filter { !$0.contains("verify.wrong-sum") }
  }

  @Test func aStoreOfOursIsClean() throws {
    #expect(try findings(graph()) == [])
  }

  @Test func damageIsFound() throws {
    let found = try findings(
      graph(),
      after: """
        UPDATE ZTHING SET ZOWNER = 77 WHERE Z_PK = 1;
        UPDATE ZTHING SET Z6_PARENT = 6 WHERE ZPARENT NOT NULL;
        UPDATE ZPASSPORT SET ZHOLDER = NULL;
        UPDATE Z_PRIMARYKEY SET Z_MAX = 1 WHERE Z_NAME = 'Thing';
        INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT) VALUES (2, 3, 1);
        INSERT INTO ZBEING (Z_PK, Z_ENT, Z_OPT) VALUES (9, 1, 1);
        UPDATE Z_PRIMARYKEY SET Z_MAX = 9 WHERE Z_NAME IN ('Tag', 'Being');
        """)
    Golden.expect(found.joined(separator: "\n") + "\n", matches: "verify-findings.txt")
  }

  @Test func repairLosesNothingAndIsRecorded() throws {
    let graph = try graph()
    try graph.store.close()
    try graph.file.keepHistory()
    try graph.file.edit(
      """
      UPDATE ZTHING SET ZOWNER = 77 WHERE Z_PK = 1;
      UPDATE Z_PRIMARYKEY SET Z_MAX = 1 WHERE Z_NAME = 'Thing';
      DELETE FROM ZTAG;
      """)
    let damaged = try GraphStore(reopening: graph)
    let planned = try damaged.store.repairable(in: damaged.layout)
    #expect(try damaged.store.repair(in: damaged.layout) == planned)
    #expect(planned.count == 3)
    #expect(try findings(damaged) == [])
    #expect(
      try damaged.rows("SELECT ZOWNER, Z_OPT FROM ZTHING WHERE Z_PK = 1") == ["NULL 2"])
    #expect(
      try damaged.store.read { try $0.changes(in: 1, of: damaged.layout) }
        == ["update Thing 1 owner"])
    #expect(try damaged.store.repair(in: damaged.layout) == [])
  }

  @Test func requiredReferencesAreLeft() throws {
    let graph = try graph()
    try graph.store.close()
    try graph.file.edit("UPDATE ZPASSPORT SET ZHOLDER = 77")
    let damaged = try GraphStore(reopening: graph)
    #expect(try damaged.store.repair(in: damaged.layout) == [])
    #expect(try findings(damaged).count == 1)
  }
}

/// Real stores: what is known to be wrong with them is found, and nothing else.
@Suite(.enabled(if: Corpus.isPresent, "\(Corpus.absence)"))
struct CorpusVerificationTests {
  @Test func allStores() throws {
    var lines: [String] = []
    var done: Set<String> = []
    for pair in CorpusPair.all where done.insert(pair.store).inserted {
      let store = try Store.open(pair.storePath, .reading)
      let findings = try store.verify(in: store.layout(for: pair.readModel()))
      for finding in findings where finding.code != "verify.missing-file" {
        lines.append("\(finding.severity) \(finding.code) \(pair.store): \(finding.message)")
      }
    }
    let withoutModel = CorpusStoreTests.stores.filter { !done.contains($0) }
    for path in withoutModel {
      let store = try Store.open(Corpus.stores.appendingPathComponent(path).path, .reading)
      for finding in try store.verify(in: nil) {
        lines.append("\(finding.severity) \(finding.code) \(path): \(finding.message)")
      }
    }
    Golden.expect(lines.joined(separator: "\n") + "\n", matches: "verify-corpus.txt")
  }
}
