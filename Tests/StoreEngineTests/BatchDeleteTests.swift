import Foundation
import SampleData
import StoreDiagnostics
import StoreModel
import StorePredicate
import StoreTestSupport
import Testing
import TestSupport

@testable import SQLiteAccess
@testable import StoreCore
@testable import StoreLayout

struct BatchDeleteTests {
  private let fixture: StoreFixture
  private let store: Store
  private let layout = StoreLayout(model: ClubModel.model)

  /// Creates two clubs. The first has three players, one of them a captain who leads the other two, and a badge, a
  /// sponsor, a note and a trip.
  init() throws {
    fixture = try StoreFixture(ClubModel.model, name: "Club.sqlite")
    // Badge 1, Club 2, Debt 3, Link 4, Note 5, Player 6, Captain 7, Sponsor 8, Trip 9
    try fixture.edit(
      """
      INSERT INTO ZCLUB (Z_PK, Z_ENT, Z_OPT, ZBADGE, ZNAME) VALUES (1, 2, 1, 1, 'Reds'), (2, 2, 1, NULL, 'Blues');
      INSERT INTO ZBADGE (Z_PK, Z_ENT, Z_OPT, ZCLUB) VALUES (1, 1, 1, 1);
      INSERT INTO ZPLAYER (Z_PK, Z_ENT, Z_OPT, ZCLUB, Z_FOK_CLUB, ZCAPTAIN, ZNAME) VALUES
        (1, 7, 1, 1, 2048, NULL, 'Ann'), (2, 6, 1, 1, 3072, 1, 'Bo'), (3, 6, 1, 1, 4096, 1, 'Cy'),
        (4, 6, 1, 2, 2048, NULL, 'Di');
      INSERT INTO ZSPONSOR (Z_PK, Z_ENT, Z_OPT, ZFAVOURITE, Z6_FAVOURITE) VALUES (1, 8, 1, 4, 6);
      INSERT INTO Z_2SPONSORS (Z_2CLUBS, Z_8SPONSORS) VALUES (1, 1), (2, 1);
      INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, Z2NEWS, ZTEXT) VALUES (1, 5, 1, 1, 'won');
      INSERT INTO ZTRIP (Z_PK, Z_ENT, Z_OPT, ZCLUB) VALUES (1, 9, 1, 1);
      """)
    store = try Store.open(LocalPath(fixture.path), .writing)
  }

  private func plan(
    _ entity: String, _ predicate: String? = nil, rules: BatchDelete.Rules = .model,
    knowsKeys: Bool = false
  ) throws -> DeletePlan {
    try BatchDelete(
      entity: entity, predicate: predicate.map { try FormatPredicate(parsing: $0) }, rules: rules
    ).plan(in: layout, knowsKeys: knowsKeys)
  }

  private func rows(_ sql: SQL) throws -> [String] {
    try store.read { try $0.rows(sql) }.map { $0.map(\.shown).joined(separator: " ") }
  }

  // MARK: Effects

  @Test func everyRuleOnce() throws {
    let outcome = try store.delete(plan("Club", "name == 'Reds'"), in: layout)
    #expect(outcome.findings.deleted == ["Club": 1, "Badge": 1])
    #expect(
      outcome.findings.nullified == ["Player.club": 3, "Club.news": 1, "Sponsor.clubs": 1])
    #expect(outcome.findings.dangling == ["Trip.club": 1])
    #expect(
      try rows("SELECT Z_PK, Z_OPT, ZCLUB, Z_FOK_CLUB, ZCAPTAIN FROM ZPLAYER") == [
        "1 2 NULL NULL NULL", "2 2 NULL NULL 1", "3 2 NULL NULL 1", "4 1 2 2048 NULL",
      ])
    #expect(try rows("SELECT Z_OPT, Z2NEWS FROM ZNOTE") == ["2 NULL"])
    #expect(try rows("SELECT Z_OPT FROM ZSPONSOR") == ["2"])
    #expect(try rows("SELECT * FROM Z_2SPONSORS") == ["2 1"])
    #expect(try rows("SELECT Z_OPT, ZCLUB FROM ZTRIP") == ["1 1"])
    #expect(try rows("SELECT count(*) FROM ZBADGE") == ["0"])
  }

  @Test func statements() throws {
    let outcome = try store.dryRunOfDeletion(plan("Club", "name == 'Reds'"), in: layout)
    let whole = try store.dryRunOfDeletion(plan("Captain"), in: layout, isPermitted: false)
    let text = ["# Club, name == 'Reds'", Self.text(outcome), "# Captain, all", Self.text(whole)]
    Golden.expect(text.joined(separator: "\n"), matches: "batch-delete.sql")
  }

  private static func text(_ outcome: Store.DeletionReport) -> String {
    outcome.steps.map { "-- \($0.purpose)\n\($0.sql.literalText)\n" }.joined()
  }

  @Test func thePreviewIsWhatHappensAndChangesNothing() throws {
    let plan = try plan("Club", "name == 'Reds'", knowsKeys: true)
    let before = try fixture.contents()["Club.sqlite"]
    let preview = try store.dryRunOfDeletion(plan, in: layout)
    #expect(try fixture.contents()["Club.sqlite"] == before)
    let outcome = try store.delete(plan, in: layout)
    #expect(outcome.findings == preview.findings)
    #expect(outcome.steps == preview.steps)
  }

  @Test func withoutRulesReferencesDangle() throws {
    let outcome = try store.delete(plan("Club", "name == 'Reds'", rules: .none), in: layout)
    #expect(outcome.findings.deleted == ["Club": 1])
    #expect(outcome.findings.nullified.isEmpty)
    #expect(
      outcome.findings.dangling == [
        "Badge.club": 1, "Club.news": 1, "Player.club": 3, "Sponsor.clubs": 1, "Trip.club": 1,
      ])
    #expect(try rows("SELECT count(*) FROM Z_2SPONSORS") == ["2"])
  }

  @Test func cascadesEndInCycles() throws {
    try fixture.edit(
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500)
      INSERT INTO ZLINK (Z_PK, Z_ENT, Z_OPT, ZNEXT, ZPREVIOUS, ZNUMBER)
      SELECT i, 4, 1, i % 500 + 1, (i + 498) % 500 + 1, i FROM n;
      """)
    let outcome = try store.delete(plan("Link", "number == 7"), in: layout)
    #expect(outcome.findings.deleted == ["Link": 500])
  }

  // MARK: Denials

  @Test func denyingRowsAreNamedAndNothingChanges() throws {
    try fixture.edit("INSERT INTO ZDEBT VALUES (1, 3, 1, 2), (2, 3, 1, 2)")
    let id = "x-coredata://\(store.metadata.uuid)"
    #expect {
      try store.delete(plan("Club"), in: layout)
    } throws: { error in
      (error as? DeletionRefusal)?.reasons == [
        .denied("Club.debts", rows: 1, ids: ["\(id)/Club/p2"], destination: "Debt", others: 2)
      ]
    }
    #expect(try rows("SELECT count(*) FROM ZCLUB") == ["2"])
    // A row that is deleted too doesn't deny the deletion.
    _ = try store.write { try $0.run("UPDATE ZDEBT SET ZCLUB = NULL") }
    #expect(try store.delete(plan("Club"), in: layout).findings.deletedCount == 3)
  }

  @Test func aRequiredReferenceForbidsItUnlessItsRowGoes() throws {
    #expect(throws: DeletionRefusal.self) { try store.delete(plan("Player"), in: layout) }
    let refusal = try #require(throws: DeletionRefusal.self) {
      try store.delete(plan("Player", "name == 'Di'"), in: layout)
    }
    #expect(
      refusal.diagnostics.map(\.message).joined()
        == "'Sponsor.favourite' requires a value, but 1 'Sponsor' row refers to a row that "
        + "would be deleted: x-coredata://\(store.metadata.uuid)/Sponsor/p1")
    #expect(try store.delete(plan("Sponsor"), in: layout).findings.deleted == ["Sponsor": 1])
    #expect(try store.delete(plan("Player"), in: layout).findings.deletedCount == 4)
    #expect(try rows("SELECT count(*) FROM ZPLAYER") == ["0"])
  }

  @Test func aWishToCancelLeavesTheStoreAsItWas() throws {
    let cancellation = Cancellation()
    cancellation.request()
    #expect(throws: (any Error).self) {
      try store.delete(plan("Link"), in: layout, cancellation: cancellation)
    }
    #expect(try rows("SELECT count(*) FROM ZCLUB") == ["2"])
  }

  // MARK: History

  @Test func aHistoryTellsOfEachRowThatChanges() throws {
    try fixture.keepHistory()
    _ = try store.delete(plan("Club", "name == 'Reds'"), in: layout)
    #expect(
      try store.read { try $0.changes(in: 1, of: layout) } == [
        "delete Badge 1", "delete Club 1", "update Player 2 club", "update Player 3 club",
        "update Captain 1 club", "update Sponsor 1 clubs",
      ])
    // An owner that loses a member counts as changed, although its columns don't change.
    _ = try store.delete(plan("Player", "name == 'Bo'"), in: layout)
    #expect(
      try store.read { try $0.changes(in: 2, of: layout) } == [
        "delete Player 2", "update Captain 1 team",
      ])
    #expect(try rows("SELECT Z_OPT FROM ZPLAYER WHERE Z_PK = 1") == ["3"])
    _ = try store.delete(plan("Link"), in: layout)
    #expect(try rows("SELECT count(*) FROM ATRANSACTION") == ["2"])
  }

  // MARK: Files

  @Test func filesGoUnlessARowThatStaysNamesThem() throws {
    let names = [
      "7F3B2C10-0000-4000-8000-000000000001", "7F3B2C10-0000-4000-8000-000000000002",
    ]
    for name in names {
      try fixture.folder.write("x", to: ".Club_SUPPORT/_EXTERNAL_DATA/\(name)")
    }
    // Bo and Di share a file. Cy's bytes are in the row.
    try fixture.edit(
      """
      UPDATE ZPLAYER SET ZPHOTO = CAST(x'02' || '\(names[0])' || x'00' AS BLOB) WHERE Z_PK IN (2, 4);
      UPDATE ZPLAYER SET ZPHOTO = x'01ABCD' WHERE Z_PK = 3;
      UPDATE ZPLAYER SET ZPHOTO = CAST(x'02' || '\(names[1])' || x'00' AS BLOB) WHERE Z_PK = 1;
      """)
    let plan = try plan("Captain")
    #expect(try store.dryRunOfDeletion(plan, in: layout).files == 1)
    let outcome = try store.delete(plan, in: layout)
    #expect(outcome.findings.deleted == ["Captain": 1, "Player": 2])
    #expect(outcome.files == 1)
    #expect(outcome.filesLeft.isEmpty)
    let left = try FileManager.default.contentsOfDirectory(
      atPath: fixture.folder.path(".Club_SUPPORT/_EXTERNAL_DATA"))
    #expect(left == [names[0]])
  }

  // MARK: Strategies

  @Test(arguments: [
    (1_000_000, 1_000_000, DeletionStrategy.everything), (1_000_000, 10_000, .keys),
    (1_000_000, 100_000, .keys), (1_000_000, 100_001, .withoutIndexes),
    (1_000_000, 749_999, .withoutIndexes), (1_000_000, 750_000, .survivors), (900, 800, .keys),
  ])
  func wayByShare(_ rows: Int, _ deleted: Int, _ way: DeletionStrategy) {
    let facts = DeletionStrategy.Facts(rows: rows, deleted: deleted, indexes: 2, hasTriggers: false)
    #expect(DeletionStrategy(facts) == way)
  }

  @Test func triggersForbidPuttingRowsAside() {
    let facts = DeletionStrategy.Facts(rows: 10_000, deleted: 9000, indexes: 1, hasTriggers: true)
    #expect(DeletionStrategy(facts) == .withoutIndexes)
  }
}
