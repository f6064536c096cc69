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
    let model = Model(
      name: "Todo", entities: todo.entities,
      configurations: [
        Configuration(name: "All", entities: ["Item", "List"]),
        Configuration(name: "Lists", entities: ["List"]),
      ])
    let candidates = VersionCandidate.all(of: model)
    let folder = try TemporaryFolder()
    let path = folder.path("Lists.sqlite")
    _ = try Store.create(at: FilePath(path), for: model, configuration: model.configurations[1])
    let store = try Store.open(FilePath(path), .reading)
    #expect(try store.knownVersions(among: candidates) == [1])
    #expect(
      throws: StoreLayoutError.unknownVersion(
        path: FilePath(path),
        VersionGap(closest: "'Todo'", differences: [.onlyInModel("Item")], verdict: .different))
    ) { try store.knownVersions(among: [candidates[0]]) }
  }
}
