import StoreDiagnostics
import StoreEngine
import StoreSeeding
import TestSupport
import Testing

@Suite(.enabled(if: SQLiteShell.executable != nil))
struct SeedAPITests {
  @Test func rowsAndTheirRelationships() async throws {
    let sample = try await SampleStore("League")
    let made = try await sample.store.seed(["Team": 8, "Player": 100], seed: 3)
    #expect(made == ["Team": 8, "Player": 100])
    #expect(
      try sample.rows("SELECT count(*), count(DISTINCT ZNAME) FROM ZTEAM") == ["8|8"])
    #expect(try sample.rows("SELECT max(ZTEAM) FROM ZPLAYER") == ["8"])
    // Adds rows of each entity to the existing ones.
    let more = try await sample.store.seed()
    #expect(Set(more.keys) == ["Team", "Player"])
    #expect(
      try sample.rows("SELECT count(*) = count(DISTINCT ZNAME) FROM ZTEAM") == ["1"])
  }

  @Test func equalSeedsMakeEqualRows() async throws {
    var found: [[String]] = []
    for seed in [5, 5, 6] as [UInt64] {
      let sample = try await SampleStore("People")
      try await sample.store.seed(["Person": 40, "City": 3], seed: seed)
      found.append(try sample.rows("SELECT * FROM ZPERSON ORDER BY Z_PK"))
    }
    #expect(found[0] == found[1] && found[0] != found[2])
  }

  @Test func whatCantBeIsSaid() async throws {
    let sample = try await SampleStore("People")
    let before = try sample.content()
    let unknown = try await failure { try await sample.store.seed(["Persn": 1]) }
    #expect(unknown?.reason == .invalidRequest)
    #expect(unknown?.diagnostics.first?.help == ["did you mean 'Person'?"])
    #expect(try sample.content() == before)
  }
}
