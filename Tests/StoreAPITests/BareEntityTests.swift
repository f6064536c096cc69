import StoreEngine
import StoreModel
import StorePredicate
import TestSupport
import Testing

/// An entity with neither attributes nor to-one relationships: its rows contain only object IDs.
@Suite struct BareEntityTests {
  private static let model = DataModel(name: "Marks", entities: [EntityDescription(name: "Mark")])

  private func store(in folder: TemporaryFolder) async throws -> PersistentStore {
    let path = folder.path("Marks.sqlite")
    try await PersistentStore.create(path, for: Self.model)
    let store = try await PersistentStore.open(path, models: [Self.model])
    #expect(try await store.batchInsert([[:], [:], [:]], into: "Mark").inserted == 3)
    return store
  }

  @Test func isFetchedInAllForms() async throws {
    let folder = try TemporaryFolder()
    let store = try await store(in: folder)
    var request = StoreFetchRequest(entity: "Mark")
    let rows = try await store.fetch(request)
    #expect(rows.map(\.id.primaryKey) == [1, 2, 3])
    #expect(rows.allSatisfy { $0.values.isEmpty })
    #expect(try await store.fetch(request, returning: .objectIDs) == rows.map(\.id))
    #expect(try await store.fetch(request, returning: .count) == 3)
    #expect(try await store.fetch(request, returning: .dictionaries) == [[:], [:], [:]])
    request.isDistinct = true
    #expect(try await store.fetch(request, returning: .dictionaries) == [[:]])
  }

  @Test func isFollowedAndDeleted() async throws {
    let folder = try TemporaryFolder()
    let store = try await store(in: folder)
    let results = try await store.liveResults(StoreFetchRequest(entity: "Mark"))
    #expect(results.list.objectIDs.map(\.primaryKey) == [1, 2, 3])
    var changes = results.changes.makeAsyncIterator()
    try await store.batchDelete(BatchDelete(entity: "Mark"))
    _ = try await changes.next()
    #expect(results.list.count == 0)
  }
}
