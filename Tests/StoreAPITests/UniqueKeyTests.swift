import StoreDiagnostics
import StoreEngine
import StoreModel
import StorePredicate
import TestSupport
import Testing

/// Rows by their unique keys, checks for existing rows, and computed values in place of paths.
struct UniqueKeyTests {
  @Test func findsTheRowOfAUniqueKey() async throws {
    let market = try await MarketStore()
    let store = market.store
    let tea = try await store.create(Article(price: 2.5, stock: 4, title: "tea"))
    let north = try await store.create(Order(number: 7, region: "north"))
    try await store.create(Order(number: 7, region: "south"))
    #expect(try await store.find(Article.self, by: \.title == "tea")?.id == tea)
    #expect(try await store.find(Article.self, by: \.title == "pot") == nil)
    #expect(
      try await store.find(Order.self, by: \.number == 7 && \.region == "north")?.id == north)
    let found = try await store.read { try $0.find(Article.self, by: \.title == "tea")?.price }
    #expect(found == 2.5)
    let created = try await store.transaction { transaction in
      try transaction.create(Article(title: "cup"))
      return try transaction.find(Article.self, by: \.title == "cup")?.title
    }
    #expect(created == "cup")
  }

  @Test func whatIsNotUniqueIsRefused() async throws {
    let store = try await MarketStore().store
    let refused: [() async throws -> Void] = [
      { _ = try await store.find(Order.self, by: \.number == 7) },
      { _ = try await store.find(Order.self, by: \.number == 7 && \.region == nil) },
      { _ = try await store.find(Article.self, by: \.title > "tea") },
      { _ = try await store.find(Article.self, by: \.title == "tea" || \.title == "pot") },
      { _ = try await store.find(Article.self, by: .equal(\.title, to: "tea", .caseInsensitive)) },
      { _ = try await store.find(Tag.self, by: \.word == "hot") },
    ]
    for work in refused {
      let failure = try await failure(work)
      #expect(failure?.reason == .invalidRequest)
      #expect(failure?.diagnostics.first?.code == "object.not-unique")
    }
    let failure = try await failure { _ = try await store.find(Order.self, by: \.number == 7) }
    #expect(
      failure?.description == """
        error: several rows of 'Order' can have the same 'number' [object.not-unique]
          help: use a uniqueness constraint: region with number
        """)
  }

  @Test func tellsWhetherThereAreRows() async throws {
    let store = try await MarketStore().store
    #expect(try await !store.exists(Article.all))
    try await store.create([Article(title: "tea"), Article(price: 3, title: "pot")])
    #expect(try await store.exists(Article.all))
    #expect(try await store.exists(Article.all.where(\.price > 2)))
    #expect(try await !store.exists(Article.all.where(\.price > 3)))
    #expect(try await store.exists(Article.all.ordered(by: \.title).offset(1).limit(5)))
    #expect(try await !store.exists(Article.all.offset(2)))
    #expect(try await !store.exists(Article.all.limit(0)))
    #expect(try await store.read { try $0.exists(Article.all) })
  }

  @Test func computedValuesStandWherePathsDo() async throws {
    let store = try await MarketStore().store
    try await store.create([
      Article(price: 2, stock: 10, title: "tea"), Article(price: 30, stock: 1, title: "pot"),
      Article(price: 4, stock: 5, title: "cup"),
    ])
    let worth = try await store.fetch(
      Article.all.ordered(by: \.title).select(\.title, \.price * \.stock))
    #expect(worth.map(\.0) == ["cup", "pot", "tea"])
    #expect(worth.map(\.1) == [20, 30, 20])
    let sums = try await store.fetch(
      Article.all.select(\.price * \.stock + 1, \.stock - 1, \.title))
    #expect(sums.map(\.0) == [21, 31, 21])
    #expect(sums.map(\.1) == [9, 0, 4])
    let dearest = try await store.fetch(
      Article.all.where(\.price * \.stock > 10).ordered(
        by: .descending(\.price * \.stock), .ascending(\.title)
      ).select(\.title))
    #expect(dearest == ["pot", "cup", "tea"])
    let groups = try await store.fetch(
      Article.all.grouped(by: \.price * \.stock).select(\.price * \.stock, \.title.count))
    #expect(groups.map(\.0) == [20, 30])
    #expect(groups.map(\.1) == [2, 1])
  }
}
