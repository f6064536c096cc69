import StoreDiagnostics
import SampleData
import SQLiteAccess
import StoreCore
import StoreLayout
import StoreModel
import Testing
import TestSupport

/// The model version that wrote a store.
struct StoreVersionTests {
  @Test func aStoreOfAConfigurationIsKnown() throws {
    let todo = SampleModels.todo
    let model = DataModel(
      name: "Todo", entities: todo.entities,
      configurations: [
        ConfigurationDescription(name: "All", entities: ["Item", "List"]),
        ConfigurationDescription(name: "Lists", entities: ["List"]),
      ])
    let candidates = VersionCandidate.all(of: model)
    let folder = try TemporaryFolder()
    let path = folder.path("Lists.sqlite")
    _ = try Store.create(at: LocalPath(path), for: model, configuration: model.configurations[1])
    let store = try Store.open(LocalPath(path), .reading)
    #expect(try store.knownVersions(among: candidates) == [1])
    #expect(
      throws: StoreLayoutError.unknownVersion(
        path: LocalPath(path),
        VersionGap(closest: "'Todo'", differences: [.onlyInModel("Item")], verdict: .different))
    ) { try store.knownVersions(among: [candidates[0]]) }
  }
}
