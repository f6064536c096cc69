import StoreEngine
import TeaModels

/// A view model, whose state belongs to the main actor.
@MainActor final class Editor {
  private let store: PersistentStore
  private var title = ""
  private var price = 2.5
  private(set) var names: [String] = []

  init(_ store: PersistentStore) { self.store = store }

  func rename(_ id: TypedObjectID<Tea>, to title: String) async throws {
    self.title = title
    try await store.update(id) { $0.name = self.title }
    try await store.update(id) { change in
      change.name = self.title
      change.set(\.price, to: \.price + price)
    }
    try await store.batchUpdate(Tea.self) { $0.price = self.price }.where(\.name == self.title)
    try await store.transaction { [title] transaction in
      try transaction.update(id) { $0.name = title }
    }
  }

  func insert(_ titles: [String]) async throws {
    try await store.batchInsert(titles.map { Tea(name: $0, price: price) })
    try await store.batchInsert(titles.lazy.map { Tea(name: $0 + self.title, price: self.price) })
    try await store.batchInsert(
      titles.lazy.map { ["name": .string($0), "price": .double(self.price)] }, into: "Tea")
  }

  func load() async throws {
    let results = try await store.liveResults(Tea.all.ordered(by: \.name))
    let rows = try await results.rows(results.list.objectIDs.lazy.filter { _ in self.price > 0 })
    names = rows.compactMap { $0?.name }
    var count = 0
    for try await batch in store.stream(Tea.all, batchSize: 2) { count += batch.count }
    names.append("\(count)")
    try await store.within(.seconds(10)) { try await self.loadTitles() }
  }

  private func loadTitles() async throws {
    names += try await store.read { try $0.fetch(Tea.all.where(\.price < 9).select(\.name)) }
  }
}

/// An actor that uses a store.
actor Stock {
  private let store: PersistentStore
  private var price = 20.0

  init(_ store: PersistentStore) { self.store = store }

  func raise(_ id: TypedObjectID<Tea>) async throws -> Bool {
    try await store.update(id) { $0.price = price + 1 }
  }

  func insert(_ count: Int) async throws -> Int {
    try await store.batchInsert((1...count).lazy.map { Tea(name: "\($0)", price: self.price) })
      .inserted
  }
}
