import ModelInference
import PlainSQLite
import SampleData
import SQLiteAccess
import StoreEngine
import StoreLayout
import StoreModel
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
    try graph.store.write {
      try RandomGraph(seed: seed, count: 12).insert(into: $0, graph.layout)
    }
    let inferred = try graph.store.read { try $0.inferredModel(named: "Inferred") }
    let comparison = ModelComparison(
      real: graph.layout, inferred: try graph.store.layout(for: inferred.model))
    var score = InferenceScore()
    try graph.store.read { try comparison.compare(on: $0, counting: &score, in: "graph") }
    #expect(score.lostAttributes == [])
    #expect(score.missed == [:])
    #expect(inferred.unexplained == [])
  }

  static func infer(_ file: StoreFixture) throws -> InferredModel {
    try Store.open(file.path, .reading).read { try $0.inferredModel(named: "Inferred") }
  }
}
