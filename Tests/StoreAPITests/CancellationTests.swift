import Foundation
import StoreEngine
import StoreModel
import StorePredicate
import TestSupport
import Testing

/// Tasks that are cancelled while their request runs or waits.
@Suite(.enabled(if: SQLiteShell.executable != nil), .timeLimit(.minutes(5)))
struct CancellationTests {
  private static let update = BatchUpdate(
    entity: "Item", values: [.init("priority", .value(.integer(9)))])

  /// Cancels a request at its first progress report, and expects that the store is unchanged and still usable.
  private func cancel(
    _ sample: SampleStore,
    _ request:
      @escaping @Sendable (@escaping @Sendable (BatchProgress) -> Void) async throws -> Void
  ) async throws {
    let before = try sample.content()
    let barrier = Barrier()
    let task = Task { try await request(barrier.hold) }
    await barrier.isReached()
    task.cancel()
    barrier.open()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try sample.content() == before)
    #expect(try await sample.store.batchUpdate(Self.update).matched > 0)
  }

  @Test func update() async throws {
    let sample = try await SampleStore.items(40_000)
    try await cancel(sample) { try await sample.store.batchUpdate(Self.update, progress: $0) }
  }

  @Test func updateThatKeepsKeys() async throws {
    let sample = try await SampleStore.items(40_000)
    try await cancel(sample) {
      _ = try await sample.store.batchUpdate(Self.update, returning: .objectIDs, progress: $0)
    }
  }

  @Test func deletion() async throws {
    let sample = try await SampleStore.items(120_000)
    let request = BatchDelete(entity: "Item", predicate: try matching("done == YES"))
    try await cancel(sample) { try await sample.store.batchDelete(request, progress: $0) }
  }

  @Test func insertionOfRecords() async throws {
    let sample = try await SampleStore.items(10)
    try await cancel(sample) {
      // The sequence is infinite, so only a cancellation ends the request.
      let endless = sequence(first: ["name": DataValue.string("new")]) { $0 }
      try await sample.store.batchInsert(endless, into: "Item", progress: $0)
    }
  }

  @Test func insertionFromAFile() async throws {
    let sample = try await SampleStore.items(10)
    let lines = String(repeating: "{\"name\": \"new\"}\n", count: 20_000)
    let file = try sample.folder.write(lines, to: "items.ndjson")
    try await cancel(sample) {
      try await sample.store.batchInsert(contentsOf: file, into: "Item", progress: $0)
    }
  }

  /// A pipe that stays open without data.
  @Test func insertionFromAPipe() async throws {
    let sample = try await SampleStore.items(10)
    let pipe = sample.folder.path("pipe")
    _ = try BuiltCommand(in: sample.folder.url).run("mkfifo pipe")
    let writer = try #require(FileHandle(forUpdatingAtPath: pipe))
    let lines = String(repeating: "{\"name\": \"new\"}\n", count: 2_000)
    try writer.write(contentsOf: Data(lines.utf8))
    try await cancel(sample) {
      try await sample.store.batchInsert(
        contentsOf: pipe, format: .json, into: "Item", progress: $0)
    }
    try writer.close()
  }

  @Test func aTaskThatWaitsForItsTurn() async throws {
    let sample = try await SampleStore.items(40_000)
    let barrier = Barrier()
    let first = Task { try await sample.store.batchUpdate(Self.update, progress: barrier.hold) }
    await barrier.isReached()
    let second = Task { try await sample.store.batchDelete(BatchDelete(entity: "Item")) }
    second.cancel()
    // The first task still has its turn.
    await #expect(throws: CancellationError.self) { try await second.value }
    barrier.open()
    #expect(try await first.value.changed == 40_000)
  }

  @Test func aTaskThatWasCancelledBefore() async throws {
    let sample = try await SampleStore.items(10)
    let before = try sample.content()
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await sample.store.batchUpdate(Self.update)
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try sample.content() == before)
  }

  @Test func objectIDs() async throws {
    let sample = try await SampleStore.items(3_000)
    let ids = try await sample.store.batchUpdate(Self.update, returning: .objectIDs)
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      for try await _ in ids {}
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try await all(ids).count == 3_000)
  }

  /// Many more tasks than the pool has threads wait for a store, and other tasks still run.
  @Test func waitingBlocksNoThreadOfThePool() async throws {
    let sample = try await SampleStore.items(40_000)
    let barrier = Barrier()
    let first = Task { try await sample.store.batchUpdate(Self.update, progress: barrier.hold) }
    await barrier.isReached()
    let waiting = (0..<100).map { number in
      Task {
        try await sample.store.batchUpdate(
          BatchUpdate(
            entity: "Item", values: [.init("note", .value(.string("\(number)")))],
            predicate: try matching("SELF == 'x-coredata:///Item/p1'")))
      }
    }
    let free = (0..<100).map { number in Task { number } }
    var sum = 0
    for task in free { sum += await task.value }
    #expect(sum == 4_950)
    barrier.open()
    #expect(try await first.value.changed == 40_000)
    for task in waiting { #expect(try await task.value == UpdateResult(matched: 1, changed: 1)) }
  }
}
