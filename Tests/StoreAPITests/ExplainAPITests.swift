import StoreEngine
import StoreModel
import StorePredicate
import TestSupport
import Testing

/// Explanations of requests, which `storetool explain` prints.
@Suite(.enabled(if: SQLiteShell.executable != nil)) struct ExplainAPITests {
  @Test func aTypedRequest() async throws {
    let store = try await PersistentStore.temporary(schema: ShopModel.self)
    let explanation = try await store.explain(
      Product.all.where(\.title == "Sencha" && \.amount > 2).select(\.title))
    #expect(explanation.values == [.string("Sencha"), .integer(2)])
    #expect(explanation.sql.hasPrefix("SELECT t0.ZTITLE"))
    #expect(explanation.sql.contains("?1"))
    #expect(explanation.steps.first?.depth == 0)
    #expect(explanation.description.hasPrefix(explanation.sql + "\n  "))
    let count = try await store.explain(Product.all.count)
    #expect(count.sql.contains("COUNT("))
  }

  @Test func anUntypedRequest() async throws {
    let store = try await PersistentStore.temporary(schema: ShopModel.self)
    var request = StoreFetchRequest(entity: "Product")
    request.predicate = try matching("amount > 2")
    let rows = try await store.explain(request)
    #expect(rows.values == [.integer(2)])
    #expect(rows.steps.contains { $0.isScan })
    #expect(rows.indexes == [] && rows.missingIndexes == [] && rows.advisedIndexes == [])
    #expect(try await store.explain(request, returning: .count).sql.contains("COUNT("))
    request.predicate = try matching("amont > 2")
    let error = try await failure { _ = try await store.explain(request) }
    #expect(error?.reason == .invalidRequest)
  }

  @Test func indexesThatWouldHelp() async throws {
    let sample = try await SampleStore.items(10_001)
    let request = Item.all.where(\.priority == 3)
    let before = try await sample.store.explain(request)
    #expect(before.advisedIndexes.map(\.property) == ["priority"])
    #expect(before.advisedIndexes.map(\.entity) == ["Item"])
  }
}
