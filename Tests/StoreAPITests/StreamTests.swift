import Foundation
import StoreDiagnostics
import StoreEngine
import StoreModel
import StorePredicate
import TestSupport
import Testing

@Suite(.enabled(if: SQLiteShell.executable != nil), .timeLimit(.minutes(5)))
struct StreamTests {
  @Test func batchesAreTheRowsOfAFetch() async throws {
    let sample = try await SampleStore.items(2_500)
    defer { withExtendedLifetime(sample) {} }
    let store = sample.store
    let query = Item.all.where(\.priority != 3).ordered(
      by: .descending(\.priority), .ascending(\.name))
    let rows = try await store.fetch(query)
    for size in [1, 511, 600, 2_000, 5_000] {
      var streamed: [Stored<Item>] = []
      for try await batch in store.stream(query, batchSize: size) {
        streamed += batch
        #expect(batch.count == size || streamed.count == rows.count)
        #expect(batch.progress == BatchProgress(rows: streamed.count))
      }
      #expect(streamed == rows)
    }
    let none = store.stream(query.limit(0))
    for try await _ in none { Issue.record("a batch without rows") }
    var names: [String] = []
    for try await batch in store.stream(Item.all.select(\.name), countsTotal: true) {
      names += batch
      #expect(batch.progress == BatchProgress(rows: names.count, total: 2_500))
    }
    #expect(names.count == 2_500)
  }

  /// If a connection remains open, closing the store leaves the -wal.
  @Test func theConnectionIsClosedAfterTheLastBatch() async throws {
    let sample = try await SampleStore.items(100)
    var batches = sample.store.stream(Item.all, batchSize: 40).makeAsyncIterator()
    while try await batches.next() != nil {}
    #expect(try await batches.next() == nil)
    try await sample.store.close()
    #expect(!FileManager.default.fileExists(atPath: sample.path + "-wal"))
  }

  @Test(arguments: [true, false])
  func oneStateWhateverIsWrittenMeanwhile(isWAL: Bool) async throws {
    let sample = try await SampleStore.items(3_000)
    if !isWAL {
      try await sample.store.close()
      _ = try sample.rows("PRAGMA journal_mode = DELETE")
    }
    let store =
      isWAL
      ? sample.store
      : try await PersistentStore.open(sample.path, models: [sample.store.model])
    var batches = store.stream(Item.all, batchSize: 100, countsTotal: true).makeAsyncIterator()
    var count = try await batches.next()?.count ?? 0
    // This store, another connection and another process write while this store reads.
    try await store.batchDelete(Item.self).where(\.priority == 4)
    let other = try await PersistentStore.open(sample.path, models: [store.model])
    try await other.batchUpdate(Item.self) { $0.name = "changed" }.everywhere()
    #expect(try sample.rows("UPDATE ZITEM SET ZPRIORITY = 7; SELECT changes()") == ["2400"])
    #expect(try await store.fetch(Item.all.where(\.priority == 7).count) == 2_400)
    while let batch = try await batches.next() {
      #expect(batch.allSatisfy { $0.name.hasPrefix("item ") && $0.priority < 5 })
      #expect(batch.progress.total == 3_000)
      count += batch.count
    }
    #expect(count == 3_000)
    #expect(try await batches.next() == nil)
  }

  @Test func cancelledWithItsTask() async throws {
    let sample = try await SampleStore.items(20_000)
    defer { withExtendedLifetime(sample) {} }
    let store = sample.store
    let (arrivals, arrival) = AsyncStream.makeStream(of: Void.self)
    let task = Task {
      var count = 0
      while true {
        for try await batch in store.stream(Item.all, batchSize: 10) {
          count += batch.count
          arrival.yield()
        }
      }
    }
    for await _ in arrivals { break }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try await store.fetch(Item.all.count) == 20_000)
  }

  @Test func afterClosing() async throws {
    let sample = try await SampleStore.items(100)
    defer { withExtendedLifetime(sample) {} }
    let store = sample.store
    var batches = store.stream(Item.all, batchSize: 10).makeAsyncIterator()
    #expect(try await batches.next()?.count == 10)
    try await store.close()
    #expect(try await failure { _ = try await batches.next() }?.reason == .closed)
  }

  @Test func rowsBeforeAWrongOneAreGiven() async throws {
    let sample = try await SampleStore.items(30)
    _ = try sample.rows("UPDATE ZITEM SET ZNAME = NULL WHERE Z_PK = 25")
    var count = 0
    let wrong = try await failure {
      for try await batch in sample.store.stream(Item.all, batchSize: 10) { count += batch.count }
    }
    #expect(count == 20)
    #expect(
      wrong?.diagnostics.map(\.message) == [
        "row 25 of 'Item' has no value for 'name', which the model requires"
      ])
    let unknown = try await failure { for try await _ in sample.store.stream(Product.all) {} }
    #expect(unknown?.reason == .invalidRequest)
  }
}
