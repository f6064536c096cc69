import Foundation
import StoreEngine
import StoreModel
import TestSupport
import Testing

/// Reading, following and pruning the persistent history.
@Suite(.timeLimit(.minutes(5))) struct HistoryAPITests {
  private func shop(tracksHistory: Bool = true) async throws -> PersistentStore {
    try await PersistentStore.temporary(
      schema: ShopModel.self,
      options: .init(newStore: NewStoreSettings(tracksHistory: tracksHistory)))
  }

  @Test func transactionsHaveTheirChanges() async throws {
    let store = try await shop()
    let before = try await store.lastHistoryToken()
    let start = Date(timeIntervalSinceNow: -1)
    let author = ChangeAuthor("importer", contextName: "nightly")
    let id = try await store.create(Product(title: "Sencha"), author: author)
    try await store.update(id) { change in
      change.price = 3
      change.amount = 7
    }
    try await store.delete(id)
    let history = try await store.history(after: before)
    try #require(history.count == 3)
    #expect(history.map(\.author) == ["importer", "storetool", "storetool"])
    #expect(history[0].contextName == "nightly")
    #expect(history.map(\.id) == history.map(\.id).sorted())
    #expect(history.allSatisfy { $0.date > start && $0.date < Date(timeIntervalSinceNow: 1) })
    let changes = history.flatMap(\.changes)
    #expect(changes.map(\.kind) == [.insert, .update, .delete])
    #expect(changes.map(\.objectID) == [id.objectID, id.objectID, id.objectID])
    #expect(changes.map(\.properties) == [[], ["amount", "price"], []])
    #expect(try await store.lastHistoryToken() == history[2].id)
    #expect(try await store.history(after: history[1].id) == [history[2]])
    #expect(try await store.history(after: before, limit: 1) == [history[0]])
    #expect(try await store.history(after: history[2].id) == [])
  }

  @Test func aTransactionOfManyChangesIsOne() async throws {
    let store = try await shop()
    try await store.transaction(author: "till") { transaction in
      try transaction.create([Product(title: "Sencha"), Product(title: "Assam")])
      try transaction.batchUpdate(Product.self) { $0.amount = 1 }.everywhere()
    }
    let history = try await store.read { try $0.history() }
    #expect(history.last?.author == "till")
    #expect(history.last?.changes.count == 4)
  }

  @Test func updatesContainEachTransactionOnce() async throws {
    let store = try await shop()
    try await store.create(Product(title: "Sencha"))
    let token = try await store.lastHistoryToken()
    var updates = store.historyUpdates().makeAsyncIterator()
    var later = store.historyUpdates(after: token).makeAsyncIterator()
    #expect(try await updates.next()?.map(\.id).last == token)
    var seen: [StoreHistory.Token] = []
    for number in 1...3 {
      try await store.create(Product(title: "Tea \(number)"))
      seen += try await later.next()?.map(\.id) ?? []
    }
    #expect(seen.count == 3 && seen == Array(Set(seen)).sorted() && seen[0] > token)
    try await store.close()
    #expect(try await later.next() == nil)
  }

  @Test func prunedTransactionsMakeOlderTokensInvalid() async throws {
    let store = try await shop()
    var tokens: [StoreHistory.Token] = []
    for number in 1...4 {
      try await store.create(Product(title: "Tea \(number)"))
      tokens.append(try await store.lastHistoryToken())
    }
    #expect(try await store.pruneHistory(before: tokens[2]) == 2)
    #expect(try await store.history().map(\.id) == Array(tokens[2...]))
    #expect(try await store.history(after: tokens[1]).map(\.id) == Array(tokens[2...]))
    let pruned = try await failure { _ = try await store.history(after: tokens[0]) }
    #expect(pruned?.reason == .historyIncomplete)
    let unknown = StoreHistory.Token(transaction: tokens[3].transaction + 5)
    let later = try await failure { _ = try await store.history(after: unknown) }
    #expect(later?.reason == .historyIncomplete)
    #expect(try await store.pruneHistory(before: Date(timeIntervalSinceNow: 60)) == 2)
    #expect(try await store.history() == [])
    #expect(try await store.lastHistoryToken() == tokens[3])
  }

  @Test func updatesThrowIfUnreadTransactionsWerePruned() async throws {
    let store = try await shop()
    var updates = store.historyUpdates().makeAsyncIterator()
    try await store.create(Product(title: "Tea 1"))
    #expect(try await updates.next()?.count == 1)
    var fromTheStart = store.historyUpdates(after: StoreHistory.Token(transaction: 0))
      .makeAsyncIterator()
    for number in 2...4 { try await store.create(Product(title: "Tea \(number)")) }
    try await store.pruneHistory(before: try await store.lastHistoryToken())
    let missed = try await failure { _ = try await updates.next() }
    #expect(missed?.reason == .historyIncomplete)
    let never = try await failure { _ = try await fromTheStart.next() }
    #expect(never?.reason == .historyIncomplete)
  }

  @Test func pruningChangesObservedHistory() async throws {
    let store = try await shop()
    for number in 1...3 { try await store.create(Product(title: "Tea \(number)")) }
    var counts = store.values { try $0.history().count }.makeAsyncIterator()
    #expect(try await counts.next() == 3)
    try await store.pruneHistory(before: try await store.lastHistoryToken())
    #expect(try await counts.next() == 1)
  }

  @Test func aStoreWithoutHistoryIsExplained() async throws {
    let store = try await shop(tracksHistory: false)
    let error = try await failure { _ = try await store.history() }
    #expect(error?.reason == .unsupportedStore)
    #expect(error?.description.contains("has no persistent history") == true)
  }

  @Test func aTokenIsEncodedAsItsNumber() throws {
    let data = try JSONEncoder().encode([StoreHistory.Token(transaction: 7)])
    #expect(String(decoding: data, as: UTF8.self) == "[7]")
    #expect(
      try JSONDecoder().decode([StoreHistory.Token].self, from: data).map(\.transaction) == [7])
  }
}
