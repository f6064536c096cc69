import StoreEngine
import StoreModel
import StorePredicate
import TestSupport
import Testing

/// Links by predicates on both sides; `RandomLinksTests` has each kind of relationship.
@Suite(.enabled(if: SQLiteShell.executable != nil))
struct BatchLinkAPITests {
  private func link(_ lines: String, to order: Int, at position: Int? = nil) throws -> BatchLink {
    BatchLink(
      .link, entity: "Order", relationship: "lines", where: try matching("number == \(order)"),
      to: try matching(lines), at: position)
  }

  @Test func returnsWhatIsAskedFor() async throws {
    let market = try await MarketStore()
    let rows = try await MarketRows.fill(market.store, 2)
    // Lines 0 and 2 belong to the first order, lines 1 and 3 to the other.
    let request = try link("amount IN {1, 2}", to: 0, at: 0)
    let expected = LinkResult(
      matchedSources: 1, matchedDestinations: 2, changed: 1, changedSources: 1,
      changedDestinations: 1, newPairs: 1, replaced: 1)
    #expect(try await market.store.dryRun(of: request) == expected)
    #expect(try await market.store.batchLink(request) == expected)
    let members = rows.orders[0].members(of: \.lines)
    #expect(try await market.store.fetch(members).map(\.amount) == [1, 0, 2])
    let ids = try await market.store.batchLink(
      try link("amount == 3", to: 0), returning: .objectIDs)
    #expect(
      try await all(ids).map { "\($0.entity) \($0.primaryKey)" }.sorted()
        == ["Line 4", "Order 1", "Order 2"])
    #expect(try await market.store.batchLink(request, returning: .status))
    try market.expectSound("links")
  }

  @Test func isAPartOfATransaction() async throws {
    let market = try await MarketStore()
    let rows = try await MarketRows.fill(market.store, 2)
    struct Refused: Error {}
    await #expect(throws: Refused.self) {
      try await market.store.transaction { transaction in
        try transaction.batchLink(try link("amount == 1", to: 0))
        throw Refused()
      }
    }
    let members = rows.orders[0].members(of: \.lines)
    #expect(try await market.store.fetch(members.count) == 2)
  }

  @Test func saysWhatIsWrong() async throws {
    let market = try await MarketStore()
    _ = try await MarketRows.fill(market.store, 2)
    let store = market.store
    func reason(_ request: BatchLink) async throws -> StoreError.Reason? {
      try await failure { try await store.batchLink(request) }?.reason
    }
    let all = BatchLink(.link, entity: "Order", relationship: "lines")
    #expect(try await reason(all) == .invalidData)
    #expect(try await reason(try link("amount == 1", to: 0, at: 9)) == .invalidRequest)
    #expect(
      try await reason(BatchLink(.link, entity: "Order", relationship: "lins")) == .invalidRequest)
    #expect(
      try await reason(BatchLink(.unlink, entity: "Line", relationship: "order")) == .invalidData)
  }
}
