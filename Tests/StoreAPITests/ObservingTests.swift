import Foundation
import Observation
import StoreEngine
import StoreModel
import StorePredicate
import TestSupport
import Testing

/// The values of requests that follow a store.
@Suite(.enabled(if: SQLiteShell.executable != nil), .timeLimit(.minutes(5)))
struct ObservingTests {
  private func shop() async throws -> SampleStore {
    let sample = try await SampleStore("Shop")
    try await sample.store.create([
      Product(amount: 5, country: "Japan", price: 12, title: "Sencha"),
      Product(amount: 7, country: "India", price: 8, title: "Assam"),
    ])
    return sample
  }

  private func amounts(_ pairs: [(String, Int32)]?) -> [Int32]? { pairs?.map { $0.1 } }

  private func countries(_ groups: [(String?, Int64)]?) -> [String?]? { groups?.map { $0.0 } }

  @Test func countIsFollowed() async throws {
    let sample = try await shop()
    let store = sample.store
    var counts = store.values(of: Product.all.count).makeAsyncIterator()
    #expect(try await counts.next() == 2)
    try await store.create(Product(title: "Bancha"))
    #expect(try await counts.next() == 3)
    // The number doesn't change.
    try await store.batchUpdate(Product.self) { $0.amount = 1 }.everywhere()
    #expect(try sample.rows("DELETE FROM ZPRODUCT WHERE Z_PK = 1") == [])
    #expect(try await counts.next() == 2)
    try await store.close()
    #expect(try await counts.next() == nil)
    #expect(try await counts.next() == nil)
  }

  @Test func rowsSelectionsAggregatesAndGroupsAreFollowed() async throws {
    let sample = try await shop()
    let store = sample.store
    let titles = Product.all.ordered(by: \.title)
    var rows = store.values(of: titles).makeAsyncIterator()
    var pairs = store.values(of: titles.select(\.title, \.amount)).makeAsyncIterator()
    var ids = store.values(of: titles.ids).makeAsyncIterator()
    var names = store.values(of: titles.select(\.title)).makeAsyncIterator()
    var sums = store.values(of: Product.all.select(\.amount.sum)).makeAsyncIterator()
    var groups = store.values(
      of: Product.all.grouped(by: \.country).select(\.country, \.amount.sum)
    ).makeAsyncIterator()
    #expect(try await rows.next()?.map(\.title) == ["Assam", "Sencha"])
    #expect(try await amounts(pairs.next()) == [7, 5])
    #expect(try await ids.next()?.map(\.objectID.primaryKey) == [2, 1])
    #expect(try await names.next() == ["Assam", "Sencha"])
    #expect(try await sums.next() == [12])
    #expect(try await countries(groups.next()) == ["India", "Japan"])

    try await store.batchUpdate(Product.self) { $0.amount = 9 }.where(\.title == "Assam")
    #expect(try await rows.next()?.map(\.amount) == [9, 5])
    #expect(try await amounts(pairs.next()) == [9, 5])
    #expect(try await sums.next() == [14])
    #expect(try await countries(groups.next()) == ["India", "Japan"])

    // The sum doesn't change.
    #expect(try sample.rows("UPDATE ZPRODUCT SET ZTITLE = 'Matcha' WHERE Z_PK = 2") == [])
    #expect(try await rows.next()?.map(\.title) == ["Matcha", "Sencha"])
    #expect(try await amounts(pairs.next()) == [9, 5])
    #expect(try await names.next() == ["Matcha", "Sencha"])
    try await store.create(Product(amount: 1, country: "China", title: "Pu-erh"))
    #expect(try await ids.next()?.map(\.objectID.primaryKey) == [2, 3, 1])
    #expect(try await sums.next() == [15])
    #expect(try await countries(groups.next()) == ["China", "India", "Japan"])
  }

  @Test func oneObjectIsFollowedUntilItsDeletion() async throws {
    let sample = try await shop()
    let store = sample.store
    let sencha = try #require(try await store.first(Product.all.where(\.title == "Sencha")))
    var values = store.values(of: sencha).makeAsyncIterator()
    #expect(try await values.next() == .some(sencha))
    try await store.update(sencha.id) { $0.price = 3 }
    #expect(try await values.next()??.price == 3)
    try await store.delete(sencha)
    let deleted = try await values.next()
    #expect(deleted == .some(nil))
  }

  @Test func includedRowsAreFollowed() async throws {
    let market = try await MarketStore()
    let store = market.store
    let order = try await store.create(Order(number: 1, region: "north"))
    var orders = store.values(of: Order.all.including(\.lines)).makeAsyncIterator()
    let empty = try #require(try await orders.next()?.first)
    #expect(try empty[\.lines].isEmpty)
    try await store.create(Line(amount: 4, order: order))
    let filled = try #require(try await orders.next()?.first)
    #expect(try filled[\.lines].map(\.amount) == [4])
  }

  private struct Summary: Equatable, Sendable {
    var count: Int
    var first: String?
  }

  @Test func closureIsFollowed() async throws {
    let sample = try await shop()
    let store = sample.store
    var summaries = store.values { snapshot in
      Summary(
        count: try snapshot.fetch(Product.all.count),
        first: try snapshot.first(Product.all.ordered(by: \.title))?.title)
    }.makeAsyncIterator()
    #expect(try await summaries.next() == Summary(count: 2, first: "Assam"))
    // Other values of the first row change, but the summary doesn't.
    try await store.batchUpdate(Product.self) { $0.amount = 1 }.everywhere()
    try await store.create(Product(title: "Aamul"))
    #expect(try await summaries.next() == Summary(count: 3, first: "Aamul"))
    var rejected = store.values { snapshot in
      if try snapshot.fetch(Product.all.count) > 3 { throw CocoaError(.userCancelled) }
      return 1
    }.makeAsyncIterator()
    #expect(try await rejected.next() == 1)
    try await store.create(Product(title: "Bancha"))
    await #expect(throws: CocoaError.self) { _ = try await rejected.next() }
    #expect(try await rejected.next() == nil)
  }

  @Test(arguments: NewStoreSettings.Journal.allCases, [true, false])
  func everyKindOfStoreIsFollowed(
    _ journal: NewStoreSettings.Journal, isReadOnly: Bool
  ) async throws {
    let folder = try TemporaryFolder()
    let path = folder.path("Shop.sqlite")
    let writer = try await PersistentStore.create(
      path, schema: ShopModel.self, options: .init(newStore: .init(journal: journal)))
    let store = try await PersistentStore.open(
      path, schema: ShopModel.self, options: .init(isReadOnly: isReadOnly))
    var counts = store.values(of: Product.all.count).makeAsyncIterator()
    #expect(try await counts.next() == 0)
    for number in 1...5 {
      try await writer.create(Product(title: "Tea \(number)"))
      #expect(try await counts.next() == number)
    }
    try await writer.close()
    try await store.close()
    #expect(try await counts.next() == nil)
  }

  @Test func endsWithItsTaskAndWithErrors() async throws {
    let sample = try await shop()
    let store = sample.store
    let waiting = Task { try await all(store.values(of: Product.all.count)) }
    try await Task.sleep(for: .milliseconds(50))
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    var counts = store.values(of: Product.all.count).makeAsyncIterator()
    #expect(try await counts.next() == 2)
    #expect(try sample.rows("DROP TABLE ZPRODUCT") == [])
    #expect(try await failure { _ = try await counts.next() }?.reason == .damaged)
    try await store.close()
    let late = try await failure { _ = try await all(store.values(of: Product.all.count)) }
    #expect(late?.reason == .closed)
  }

  /// With a rollback journal, reads wait for the running transaction.
  @Test func valuesContinueAfterATimeout() async throws {
    let sample = try await shop()
    try await sample.store.close()
    #expect(try sample.rows("PRAGMA journal_mode = DELETE") == ["delete"])
    let store = try await PersistentStore.open(
      sample.path, schema: ShopModel.self, options: .init(turnTimeout: .milliseconds(50)))
    var counts = store.values(of: Product.all.count).makeAsyncIterator()
    #expect(try await counts.next() == 2)
    try await store.create(Product(title: "Bancha"))
    let gate = DispatchSemaphore(value: 0)
    let (begun, arrival) = AsyncStream<Void>.makeStream()
    let holder = Task {
      try await store.transaction { transaction in
        try transaction.create(Product(title: "Mint"))
        arrival.yield()
        gate.wait()
      }
    }
    for await _ in begun { break }
    Task {
      try await Task.sleep(for: .milliseconds(300))
      gate.signal()
    }
    #expect(try await counts.next() == 4)
    try await holder.value
    try await store.close()
  }

  // MARK: An observed list

  /// Waits until the list fulfills a condition, with the notifications of `Observation`.
  @MainActor private func wait(
    for list: ObservedList<Product>, _ isFulfilled: (ObservedList<Product>) -> Bool
  ) async {
    while true {
      let (changes, continuation) = AsyncStream.makeStream(of: Void.self)
      let isDone = withObservationTracking {
        isFulfilled(list)
      } onChange: {
        continuation.finish()
      }
      if isDone { return }
      for await _ in changes {}
      await Task.yield()
    }
  }

  @MainActor @Test func listIsObserved() async throws {
    let sample = try await shop()
    let store = sample.store
    let list = ObservedList(Product.all.ordered(by: \.title), in: store)
    #expect(!list.isLoaded && list.rows.isEmpty)
    await wait(for: list) { $0.isLoaded }
    #expect(list.rows.map(\.title) == ["Assam", "Sencha"])
    try await store.create(Product(title: "Bancha"))
    await wait(for: list) { $0.rows.count == 3 }
    #expect(list.rows.map(\.title) == ["Assam", "Bancha", "Sencha"])
    list.query = Product.all.where(\.country == "India")
    #expect(!list.isLoaded && list.rows.count == 3)
    await wait(for: list) { $0.isLoaded }
    #expect(list.rows.map(\.title) == ["Assam"])
    #expect(try sample.rows("DROP TABLE ZPRODUCT") == [])
    await wait(for: list) { $0.error != nil }
    #expect((list.error as? StoreError)?.reason == .damaged)
  }

  @MainActor @Test func releasedListDoesNotKeepItsStore() async throws {
    let sample = try await shop()
    var list: ObservedList<Product>? = ObservedList(Product.all, in: sample.store)
    weak let released = list
    if let list { await wait(for: list) { $0.isLoaded } }
    list = nil
    for _ in 0..<500 where released != nil { try await Task.sleep(for: .milliseconds(10)) }
    #expect(released == nil)
    try await sample.store.close()
  }
}
