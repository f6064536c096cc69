import StoreDiagnostics
import StoreEngine
import StoreModel
import StorePredicate
import TestSupport
import Testing

@Suite(.enabled(if: SQLiteShell.executable != nil))
struct BatchDeleteAPITests {
  /// Two teams with two players each, and a player without a team.
  private func league() async throws -> SampleStore {
    let sample = try await SampleStore("League")
    try await sample.store.batchInsert(
      [["name": .string("Lions")], ["name": .string("Tigers")]], into: "Team")
    let teams: [DataValue] = [
      .string("Lions"), .string("Lions"), .string("Tigers"),
      .objectID(ObjectID(store: nil, entity: "Team", primaryKey: 2)), .null,
    ]
    let players = teams.enumerated().map { index, team -> [String: DataValue] in
      ["name": .string("player \(index)"), "team": team]
    }
    try await sample.store.batchInsert(players, into: "Player")
    return sample
  }

  @Test func countsByEntity() async throws {
    let sample = try await league()
    let request = BatchDelete(entity: "Team", predicate: try matching("name == 'Lions'"))
    let before = try sample.content()
    let expected = DeletionResult(deleted: ["Team": 1, "Player": 2])
    #expect(try await sample.store.dryRun(of: request) == expected)
    #expect(try sample.content() == before)
    #expect(try await sample.store.batchDelete(request) == expected)
    #expect(expected.deletedCount == 3)
    let left = try sample.rows("SELECT ZNAME, ZTEAM FROM ZPLAYER ORDER BY 1")
    #expect(left == ["player 2|2", "player 3|2", "player 4|"])
  }

  @Test func namesRowsOfAllEntities() async throws {
    let sample = try await league()
    let ids = try await sample.store.batchDelete(
      BatchDelete(entity: "Team"), returning: .objectIDs)
    let names = try await all(ids).map { "\($0.entity) \($0.primaryKey)" }
    #expect(
      names.sorted() == ["Player 1", "Player 2", "Player 3", "Player 4", "Team 1", "Team 2"])
    #expect(try await sample.store.batchDelete(BatchDelete(entity: "Player"), returning: .status))
    #expect(try sample.rows("SELECT count(*) FROM ZPLAYER") == ["0"])
  }

  @Test func withoutRulesReferencesDangle() async throws {
    let sample = try await league()
    #expect(
      try await sample.store.batchDelete(BatchDelete(entity: "Team", rules: .none))
        == DeletionResult(deleted: ["Team": 2], dangling: ["Player.team": 4]))
  }

  @Test func reportsRowsAsTheyGo() async throws {
    let sample = try await SampleStore.items(120_000)
    let notes = ProgressNotes()
    let outcome = try await sample.store.batchDelete(
      BatchDelete(entity: "Item", predicate: try matching("done == YES")), progress: notes.note)
    #expect(outcome.deleted == ["Item": 60_000])
    #expect(notes.all.first == BatchProgress(rows: 10_000, total: 60_000))
    #expect(notes.all.last == BatchProgress(rows: 60_000, total: 60_000))
    #expect(notes.all.map(\.rows) == notes.all.map(\.rows).sorted())
  }

  @Test func denialsAreFailures() async throws {
    let sample = try await SampleStore("Company")
    try await sample.store.batchInsert([["name": .string("Research")]], into: "Department")
    try await sample.store.batchInsert(
      [
        [
          "name": .string("Ada"),
          "department": .objectID(ObjectID(store: nil, entity: "Department", primaryKey: 1)),
        ]
      ], into: "Employee")
    let before = try sample.content()
    let request = BatchDelete(entity: "Department")
    let denied = try await failure { try await sample.store.batchDelete(request) }
    #expect(denied?.reason == .deletionDenied)
    #expect(denied?.diagnostics.map(\.code) == ["delete.denied"])
    let foreseen = try await failure { _ = try await sample.store.dryRun(of: request) }
    #expect(foreseen == denied)
    let wrong = try await failure {
      try await sample.store.batchDelete(
        BatchDelete(entity: "Department", predicate: try matching("flor == 1")))
    }
    #expect(wrong?.reason == .invalidRequest)
    #expect(try sample.content() == before)
  }
}
