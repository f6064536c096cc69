import StoreDiagnostics
import StoreLayout
import PlainSQLite
import SampleData
import SQLiteAccess
import StoreCore
import StoreModel
import StoreTestSupport
import Testing

/// For any content of `Z_PRIMARYKEY` and any schema, the inferred model can read the store.
struct HostileSchemaTests {
  @Test(arguments: [
    // Cycles, with and without entities that lead to them.
    ("UPDATE Z_PRIMARYKEY SET Z_SUPER = Z_ENT", ["Player", "Team"]),
    ("UPDATE Z_PRIMARYKEY SET Z_SUPER = 1 + Z_ENT % 3", ["Goalkeeper", "Player", "Team"]),
    // Missing parents.
    ("UPDATE Z_PRIMARYKEY SET Z_SUPER = 77", ["Player", "Team"]),
    ("UPDATE Z_PRIMARYKEY SET Z_SUPER = -1", ["Player", "Team"]),
    // Names.
    ("UPDATE Z_PRIMARYKEY SET Z_NAME = 'Team'", ["Team"]),
    ("UPDATE Z_PRIMARYKEY SET Z_NAME = ''", []),
    ("UPDATE Z_PRIMARYKEY SET Z_NAME = NULL", []),
    ("UPDATE Z_PRIMARYKEY SET Z_NAME = x'ff00fe' WHERE Z_NAME = 'Team'", ["Goalkeeper", "Player"]),
    (
      "UPDATE Z_PRIMARYKEY SET Z_NAME = 'a\"b;' || char(27, 10) WHERE Z_NAME = 'Goalkeeper'",
      ["Player", "Team"]
    ),
    (
      "UPDATE Z_PRIMARYKEY SET Z_NAME = printf('%.*c', 100000, 'x') WHERE Z_ENT = 1", ["Team"]
    ),
    // Numbers.
    ("UPDATE Z_PRIMARYKEY SET Z_ENT = -Z_ENT", []),
    ("UPDATE Z_PRIMARYKEY SET Z_ENT = 20000 + Z_ENT", []),
    ("DELETE FROM Z_PRIMARYKEY", []),
    (
      """
      WITH n(i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < 15000) \
      INSERT INTO Z_PRIMARYKEY SELECT i, 'Deep' || i, i - 1, 0 FROM n
      """, ["Goalkeeper", "Player", "Team"]
    ),
    (
      """
      WITH n(i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < 15000) \
      INSERT INTO Z_PRIMARYKEY SELECT i, 'Deep' || i, 3, 0 FROM n
      """, ["Goalkeeper", "Player", "Team"]
    ),
    // Tables and columns.
    ("DROP TABLE ZTEAM", ["Goalkeeper", "Player"]),
    ("ALTER TABLE ZTEAM RENAME COLUMN Z_ENT TO Z_ANT", ["Goalkeeper", "Player"]),
    ("ALTER TABLE ZTEAM ADD COLUMN lower TEXT", ["Goalkeeper", "Player", "Team"]),
    ("ALTER TABLE ZTEAM ADD COLUMN \"Z'; DROP\" TEXT", ["Goalkeeper", "Player", "Team"]),
    (
      "ALTER TABLE ZTEAM ADD COLUMN Z99999999999999999999X INTEGER",
      [
        "Goalkeeper", "Player", "Team",
      ]
    ),
    ("ALTER TABLE ZTEAM ADD COLUMN Z77MEMBERS INTEGER", ["Goalkeeper", "Player", "Team"]),
    ("ALTER TABLE ZTEAM ADD COLUMN Z_FOK_NOTHING INTEGER", ["Goalkeeper", "Player", "Team"]),
    ("ALTER TABLE ZTEAM ADD COLUMN Z77_CAPTAIN INTEGER", ["Goalkeeper", "Player", "Team"]),
    (
      "CREATE TABLE Z_3PLAYERS (Z_3TEAMS INTEGER, Z_77PLAYERS INTEGER)",
      [
        "Goalkeeper", "Player", "Team",
      ]
    ),
    ("CREATE TABLE Z_3name (Z_3NAME INTEGER, Z_3NAMES INTEGER)", ["Goalkeeper", "Player", "Team"]),
    ("CREATE TABLE Z_3NAME (Z_3NAME INTEGER, Z_3TEAMS INTEGER)", ["Goalkeeper", "Player", "Team"]),
  ])
  func thereIsAModel(_ change: String, _ entities: [String]) throws {
    let file = try StoreFixture(SampleModels.league)
    try file.edit(change)
    let inferred = try InferredModelTests.infer(file)
    let names = inferred.model.entities.map(\.name)
    #expect(names.filter { !$0.hasPrefix("Deep") } == entities)
    #expect(names.count <= 1000)
    #expect(inferred.guesses.allSatisfy { !$0.text.isEmpty })
    #expect(inferred.unexplained.allSatisfy { !$0.text.isEmpty })

    let store = try Store.open(LocalPath(file.path), .reading)
    let layout = try store.readableLayout(for: inferred.model)
    let gaps = layout.gaps(in: try store.read { try $0.schema() })
    #expect(gaps.filter { !$0.isHarmless }.map(\.name) == [])
  }

  @Test func whatHasNoPlaceIsListed() throws {
    let file = try StoreFixture(SampleModels.league)
    try file.edit(
      """
      ALTER TABLE ZTEAM ADD COLUMN lower TEXT; ALTER TABLE ZTEAM ADD COLUMN Z77MEMBERS INTEGER; \
      INSERT INTO Z_PRIMARYKEY VALUES (9, 'Team', 0, 0), (10, 'Cup', 0, 0), (11, 'no name', 0, 0)
      """)
    #expect(
      try InferredModelTests.infer(file).unexplained.map(\.text) == [
        "entity 9 'Team': another entity has the name",
        "entity 11 'no name': not a name that a model can have",
        "entity 10 'Cup': no table ZCUP can contain its rows",
        "ZTEAM.lower: not a name that Core Data uses",
        "ZTEAM.Z77MEMBERS: no entity has the number 77",
      ])
  }

  @Test func theSchemaAloneGivesAModel() throws {
    let file = try StoreFixture(SampleModels.league)
    let schema = try Store.open(LocalPath(file.path), .reading).read { try $0.schema() }
    let inferred = try InferredModel(of: schema, named: "Schema")
    #expect(inferred.model.entities.map(\.name) == ["Goalkeeper", "Player", "Team"])
  }
}
