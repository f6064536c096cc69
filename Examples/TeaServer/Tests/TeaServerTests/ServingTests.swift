import Foundation
import Hummingbird
import Logging
import StoreEngine
import Testing

@testable import TeaServer

/// Opens a store in a test while the server uses it.
enum PersistentStoreFile {
  static func open(
    _ folder: URL, _ name: String, _ schema: any SchemaModel.Type
  ) async throws -> PersistentStore {
    try await PersistentStore.open(folder.appending(path: "\(name).sqlite").path, schema: schema)
  }
}

@Suite struct ServingTests {
  @Test func migratesStoresOfOlderServer() async throws {
    try await TestServer.inFolder { folder in
      let path = folder.appending(path: "Todo.sqlite").path
      let old = try await PersistentStore.create(path, schema: TodoV1.self)
      try await old.create((1...50).map { TodoV1.Item(done: $0 <= 20, name: "Item \($0)") })
      try await old.close()
      for _ in 1...2 {
        try await TestServer.run(in: folder) { client in
          let rows: ItemTests.Rows = try await client.send("GET", "/items?open=true").json()
          #expect(rows.total == 30 && rows.rows.allSatisfy { $0.priority == 0 })
        }
      }
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      #expect(names.count { $0.hasPrefix("Todo.sqlite") && $0.hasSuffix(".backup") } == 1)
      #expect(!names.contains { $0.hasSuffix("-wal") })
    }
  }

  @Test func unknownVersionStopsStart() async throws {
    try await TestServer.inFolder { folder in
      let path = folder.appending(path: "Todo.sqlite").path
      try await PersistentStore.create(path, for: BubbleTeaModel.model)
      await #expect(throws: (any Error).self) {
        try await TestServer.run(in: folder) { _ in }
      }
    }
  }

  @Test func rejectsRequestsUntilStoreIsOpen() throws {
    let store = StoreService(
      "Todo", in: "/nowhere", schema: TodoModel.self, options: .init(),
      logger: Logger(label: "test"))
    #expect(!store.isOpen && store.status == "being opened: begins")
    let error = #expect(throws: HTTPError.self) { try store.store }
    #expect(error?.status == .serviceUnavailable && error?.headers[.retryAfter] == "1")
  }

  struct List: Decodable {
    struct Section: Decodable {
      var name: String
      var items: [ItemTests.Row]
    }
    var sections: [Section]
  }
  struct Change: Decodable {
    struct Place: Decodable, Equatable {
      var section: Int
      var row: Int
    }
    struct Row: Decodable {
      var to: Place
      var item: ItemTests.Row?
    }
    var insertedSections: [Int]
    var deleted: [Place]
    var inserted: [Row]
  }

  @Test func liveListFollowsOtherWriters() async throws {
    try await TestServer.run { client in
      let urgent = #"{"name": "Boil water", "priority": 5}"#
      let item: ItemTests.Row = try await client.send("POST", "/items", urgent).json()
      var events = try client.events("/items/live").makeAsyncIterator()
      let first = try #require(await events.next())
      let list: List = try first.json()
      #expect(first.name == "list" && list.sections.map(\.name) == ["5"])
      #expect(list.sections.first?.items == [item])

      // For the server, this connection looks like another process.
      let store = try await PersistentStoreFile.open(client.folder, "Todo", TodoModel.self)
      try await store.create(Item(name: "Warm the pot", priority: 2))
      var change: Change = try #require(await events.next()).json()
      #expect(
        change.insertedSections == [1] && change.inserted.map(\.item?.name) == ["Warm the pot"])
      #expect(change.inserted.map(\.to) == [.init(section: 1, row: 0)])

      _ = try await client.send("PATCH", "/items/\(item.id)", #"{"done": true}"#)
      change = try #require(await events.next()).json()
      #expect(change.deleted == [.init(section: 0, row: 0)])
    }
  }

  @Test(.timeLimit(.minutes(1))) func streamsEndAtShutdown() async throws {
    var following: Task<Int, Never>?
    try await TestServer.run { client in
      let events = try client.events("/items/live")
      let (begun, sink) = AsyncStream.makeStream(of: Void.self)
      following = Task {
        var count = 0
        for await _ in events {
          count += 1
          sink.yield()
        }
        return count
      }
      _ = await begun.first { _ in true }
    }
    #expect(await following?.value == 1)
  }
}
