import StoreEngine
import StoreModel
import StorePredicate
import TestSupport
import Testing

/// Records from an asynchronous sequence.
@Suite(.enabled(if: SQLiteShell.executable != nil), .timeLimit(.minutes(10)))
struct RecordStreamTests {
  private struct Broken: Error, Equatable {}

  private func item(_ index: Int) -> [String: DataValue] { ["name": .string("item \(index)")] }

  @Test func allRecordsInOrder() async throws {
    let sample = try await SampleStore("Todo")
    let (stream, feed) = AsyncStream.makeStream(of: [String: DataValue].self)
    for index in 0..<5_000 { feed.yield(item(index)) }
    feed.finish()
    let notes = ProgressNotes()
    #expect(
      try await sample.store.batchInsert(stream, into: "Item", progress: notes.note)
        == InsertResult(inserted: 5_000))
    #expect(
      try sample.rows("SELECT count(*), sum(ZNAME = 'item ' || (Z_PK - 1)) FROM ZITEM")
        == ["5000|5000"])
    #expect(notes.all.last == BatchProgress(rows: 5_000, total: 5_000))
    #expect(notes.all.first?.total == nil)
  }

  @Test func noneOfASequenceThatFails() async throws {
    let sample = try await SampleStore("Todo")
    let before = try sample.content()
    let (stream, feed) = AsyncThrowingStream.makeStream(of: [String: DataValue].self)
    for index in 0..<2_000 { feed.yield(item(index)) }
    feed.finish(throwing: Broken())
    await #expect(throws: Broken()) { try await sample.store.batchInsert(stream, into: "Item") }
    #expect(try sample.content() == before)
  }

  /// The stream never ends. The error is thrown without waiting for it.
  @Test func aWrongRecordEndsTheStream() async throws {
    let sample = try await SampleStore("Todo")
    let (stream, feed) = AsyncStream.makeStream(of: [String: DataValue].self)
    feed.yield(item(0))
    feed.yield(["name": .integer(1)])
    for _ in 0..<40 { feed.yield(["nmae": .null]) }
    let wrong = try await failure { try await sample.store.batchInsert(stream, into: "Item") }
    #expect(wrong?.reason == .invalidData)
    // One for the first wrong record, and one that the others share.
    #expect(wrong?.diagnostics.count == 2)
    #expect(try await sample.store.batchInsert([item(1)], into: "Item").inserted == 1)
    withExtendedLifetime(feed) {}
  }

  /// A request that waits for a stream ends when its task is cancelled.
  @Test func cancellingASilentStream() async throws {
    let sample = try await SampleStore("Todo")
    let before = try sample.content()
    let (stream, feed) = AsyncStream.makeStream(of: [String: DataValue].self)
    let (progress, noting) = AsyncStream.makeStream(of: BatchProgress.self)
    for index in 0..<600 { feed.yield(item(index)) }
    let task = Task {
      try await sample.store.batchInsert(
        stream, into: "Item", progress: { noting.yield($0) })
    }
    for await _ in progress { break }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try sample.content() == before)
    withExtendedLifetime(feed) {}
  }
}
