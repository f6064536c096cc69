import ModelInference
import PlainSQLite
import SampleData
import SQLiteAccess
import StoreEngine
import StoreLayout
import StoreModel
import StoreSQL
import StoreTestSupport
import Testing

struct InferredModelTests {
  @Test func anEmptyStore() throws {
    let inferred = try Self.infer(StoreFixture(SampleModels.league))
    #expect(inferred.unexplained == [])
    #expect(
      inferred.model.lines == [
        "Goalkeeper: Player",
        "Player",
        "  nick String",
        "  number Integer 64",
        "  leads -> Team <-> playersAsLeads",
        "  team -> Team <-> playersAsTeam",
        "  teams -> Team [] <-> captain",
        "  unique number",
        "Team",
        "  city String",
        "  founded Date",
        "  name String",
        "  points Integer 64",
        "  captain -> Player <-> teams",
        "  playersAsLeads -> Player [] <-> leads",
        "  playersAsTeam -> Player [] <-> team",
        "  unique name",
        "  unique city, founded",
      ])
  }

  @Test(arguments: [
    SampleModels.library, SampleModels.league, SampleModels.todo, GraphModel.model,
    CompanyStore.model,
  ])
  func theLayoutIsTheStores(_ model: Model) throws {
    let file = try StoreFixture(model)
    let inferred = try Self.infer(file)
    #expect(inferred.unexplained == [])
    let store = try Store.open(file.path, .reading)
    let layout = try store.readableLayout(for: inferred.model)
    let real = StoreLayout(model: model)
    #expect(layout.gaps(in: try store.read { try $0.schema() }) == [])
    #expect(Self.columns(layout) == Self.columns(real))
    #expect(layout.entities.map(\.number) == real.entities.map(\.number))
  }

  private static func columns(_ layout: StoreLayout) -> [String: Set<String>] {
    Dictionary(
      uniqueKeysWithValues: layout.tables.map { ($0.name, Set($0.columns.map(\.name))) }
        + layout.joinTables.map { ($0.name, Set($0.columns.map(\.name))) })
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func aGraphReadsTheSame(_ seed: UInt64) throws {
    let graph = try GraphStore()
    try graph.store.write { connection in
      try RandomGraph(seed: seed, count: 12).insert(into: connection, graph.layout)
      // Without the name of a file, only the first byte of random values would tell of external storage.
      let file: [UInt8] = [2] + Array("6F9619FF-8B86-4011-B42D-00CF4FC964FF".utf8) + [0]
      try connection.run("UPDATE ZTHING SET ZPHOTO = \(value: .blob(file)) WHERE Z_PK = 1")
    }
    let inferred = try graph.store.read { try $0.inferredModel(named: "Inferred") }
    let comparison = ModelComparison(
      real: graph.layout, inferred: try graph.store.layout(for: inferred.model))
    var score = InferenceScore()
    try graph.store.read { try comparison.compare(on: $0, counting: &score, in: "graph") }
    #expect(score.lostAttributes == [])
    // Its keys fit tags as well as people, and neither is called so.
    #expect(score.missed.values.flatMap(\.self).sorted() == ["Person.things", "Thing.owner"])
    #expect(inferred.unexplained == [])
  }

  @Test func ownersOfColumns() throws {
    let inferred = try Self.infer(StoreFixture(SampleModels.library))
    #expect(inferred.model.lines == [])
  }

  @Test func guessesInWords() throws {
    let file = try StoreFixture(SampleModels.league)
    try file.edit(
      """
      INSERT INTO ZTEAM (Z_PK, Z_ENT, Z_OPT, ZNAME, ZCAPTAIN, Z1_CAPTAIN) VALUES (1, 3, 1, 'A', 1, 2); \
      INSERT INTO ZPLAYER (Z_PK, Z_ENT, Z_OPT, ZLEADS) VALUES (1, 2, 1, 1)
      """)
    let guesses = try Self.infer(file).guesses
    #expect(guesses.map { "\($0.part.map { "\($0)" } ?? "model"): \($0.text)" } == [])
  }

  static func infer(_ file: StoreFixture) throws -> InferredModel {
    try Store.open(file.path, .reading).read { try $0.inferredModel(named: "Inferred") }
  }
}
