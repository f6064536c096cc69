import Foundation
import StoreModel
import StorePredicate
import TestSupport
import Testing

@testable import StoreEngine

/// The limits of how long requests wait, and the errors after a timeout.
@Suite(.enabled(if: SQLiteShell.executable != nil), .timeLimit(.minutes(5)))
struct WaitingTests {
  private func reopened(
    _ sample: SampleStore, _ options: PersistentStore.Options
  ) async throws -> PersistentStore {
    try await sample.store.close()
    return try await PersistentStore.open(sample.path, schema: TodoModel.self, options: options)
  }

  /// Starts a transaction that blocks other writes until `gate` is signaled.
  private func holdTurn(
    of store: PersistentStore, until gate: DispatchSemaphore
  ) async -> Task<Void, any Error> {
    let (begun, arrival) = AsyncStream<Void>.makeStream()
    let task = Task {
      try await store.transaction { transaction in
        try transaction.create(Item(name: "first"))
        arrival.yield()
        gate.wait()
      }
    }
    for await _ in begun { break }
    return task
  }

  @Test func aLimitSaysWhoWasWaitedFor() async throws {
    let store = try await SampleStore.items(10).store
    let gate = DispatchSemaphore(value: 0)
    let holder = await holdTurn(of: store, until: gate)
    let update = BatchUpdate(entity: "Item", values: [.init("priority", .value(.integer(9)))])
    let late = try await failure {
      _ = try await store.within(.milliseconds(50)) { try await store.batchUpdate(update) }
    }
    #expect(late?.reason == .timedOut)
    let text = "\(late as StoreError?)"
    #expect(
      text.contains("took longer than 50 ms: batchUpdate of 'Item' was waiting for transaction")
    )
    #expect(text.contains("for transaction, which has been running for"))
    gate.signal()
    try await holder.value
    #expect(try await store.fetch(Item.all.where(\.priority == 9).count) == 0)
    // The update finishes before its limit.
    let done = try await store.within(.seconds(60)) { try await store.batchUpdate(update) }
    #expect(done.changed == 11)
  }

  @Test func theTurnHasALimitOfItsOwn() async throws {
    let sample = try await SampleStore.items(10)
    let store = try await reopened(sample, .init(turnTimeout: .milliseconds(50)))
    let gate = DispatchSemaphore(value: 0)
    let holder = await holdTurn(of: store, until: gate)
    let late = try await failure { try await store.create(Item(name: "second")) }
    #expect(late?.reason == .timedOut)
    #expect(
      "\(late as StoreError?)".contains("create of 'Item' waited 50 ms, because"))
    gate.signal()
    try await holder.value
    try await store.close()
    #expect(try sample.rows("SELECT count(*) FROM ZITEM") == ["11"])
  }

  @Test func anotherProcessIsWaitedForAsLongAsTheOptionsSay() async throws {
    let sample = try await SampleStore.items(10)
    let store = try await reopened(sample, .init(lockTimeout: .milliseconds(50)))
    let holder = try LockHolder(of: sample.path)
    let locked = try await failure { try await store.create(Item(name: "new")) }
    #expect(locked?.reason == .locked)
    #expect("\(locked as StoreError?)".contains("create of 'Item' waited 50 ms"))
    try holder.letGo()
    try await store.create(Item(name: "new"))
    #expect(try await store.fetch(Item.all.count) == 11)
    try await store.close()
  }

  /// The limit also applies to waiting for a lock.
  @Test func aLimitEndsTheWaitingForALock() async throws {
    let sample = try await SampleStore.items(10)
    let store = try await reopened(sample, .init(lockTimeout: .seconds(600)))
    let holder = try LockHolder(of: sample.path)
    let late = try await failure {
      _ = try await store.transaction(deadline: .milliseconds(200)) {
        try $0.create(Item(name: "new"))
      }
    }
    #expect(late?.reason == .timedOut)
    #expect("\(late as StoreError?)".contains("transaction"))
    let waiting = Task { try await store.create(Item(name: "patient")) }
    try holder.letGo()
    _ = try await waiting.value
    #expect(try await store.fetch(Item.all.count) == 11)
    try await store.close()
  }

  @Test(arguments: [0, 1, 9])
  func anyNumberReads(_ readers: Int) async throws {
    let sample = try await SampleStore.items(10)
    #expect(try sample.rows("PRAGMA journal_mode = WAL") == ["wal"])
    let store = try await reopened(sample, .init(readers: readers))
    try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<20 { group.addTask { try await store.fetch(Item.all.count) } }
      for try await count in group { #expect(count == 10) }
    }
    try await store.close()
  }

  /// Starts a read that occupies a connection until `gate` is signaled.
  private func holdConnection(
    of store: PersistentStore, until gate: DispatchSemaphore
  ) async -> Task<Void, any Error> {
    let (begun, arrival) = AsyncStream<Void>.makeStream()
    let task = Task {
      try await store.read { _ in
        arrival.yield()
        gate.wait()
      }
    }
    for await _ in begun { break }
    return task
  }

  @Test func aReadTakesTheFirstFreeConnection() async throws {
    let sample = try await SampleStore.items(10)
    // With a rollback journal, all requests use one connection.
    #expect(try sample.rows("PRAGMA journal_mode = WAL") == ["wal"])
    let store = try await reopened(sample, .init(readers: 2))
    let gates = [DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)]
    for released in [0, 1] {
      var holders: [Task<Void, any Error>] = []
      for gate in gates { holders.append(await holdConnection(of: store, until: gate)) }
      let quick = (0..<4).map { _ in Task { try await store.fetch(Item.all.count) } }
      // The reads wait until one of the two connections is free.
      gates[released].signal()
      for task in quick { #expect(try await task.value == 10) }
      gates[1 - released].signal()
      for holder in holders { try await holder.value }
    }
    try await store.close()
  }

  /// A connection is free as soon as the task of its last read continues.
  @Test func successiveReadsUseOneConnection() async throws {
    let sample = try await SampleStore.items(10)
    #expect(try sample.rows("PRAGMA journal_mode = WAL") == ["wal"])
    let store = try await reopened(sample, .init(readers: 4))
    for _ in 0..<500 { #expect(try await store.fetch(Item.all.count) == 10) }
    #expect(store.openReaders == 1)
    try await store.close()
  }

  /// More tasks than connections read until they fail, so requests are always waiting.
  @Test func aStoreClosesWhileTasksReadContinually() async throws {
    let sample = try await SampleStore.items(10)
    #expect(try sample.rows("PRAGMA journal_mode = WAL") == ["wal"])
    let store = try await reopened(sample, .init(readers: 2))
    let readers = (0..<8).map { _ in
      Task { while true { _ = try await store.fetch(Item.all.count) } }
    }
    try await Task.sleep(for: .milliseconds(50))
    try await store.close()
    for reader in readers {
      let error = try await failure { try await reader.value }
      #expect(error?.reason == .closed)
    }
  }

  /// An error of the work isn't reported as a timeout.
  @Test func otherFailuresStayWhatTheyAre() async throws {
    let store = try await SampleStore.items(1).store
    let wrong = try await failure {
      _ = try await store.within(.seconds(60)) {
        try await store.fetch(StoreFetchRequest(entity: "Itme"), returning: .count)
      }
    }
    #expect(wrong?.reason == .invalidRequest)
    let task = Task {
      try await store.within(.seconds(600)) { try await Task.sleep(for: .seconds(600)) }
    }
    task.cancel()
    do {
      try await task.value
      Issue.record("it was cancelled")
    } catch {
      #expect(error is CancellationError)
    }
  }
}

/// Another process that holds a write lock.
private final class LockHolder {
  private let process = Process()
  private let input = Pipe()

  init(of path: String) throws {
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: SQLiteShell.executable ?? "")
    process.arguments = [path]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    try input.fileHandleForWriting.write(
      contentsOf: Data("BEGIN IMMEDIATE;\nSELECT 'held';\n".utf8))
    // Waits until the process has the lock.
    _ = output.fileHandleForReading.availableData
  }

  func letGo() throws {
    try input.fileHandleForWriting.write(contentsOf: Data("ROLLBACK;\n".utf8))
    try input.fileHandleForWriting.close()
    process.waitUntilExit()
  }
}
