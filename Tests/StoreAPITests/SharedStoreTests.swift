import Foundation
import StoreEngine
import StoreModel
import StorePredicate
import TestSupport
import Testing

/// One store, used by many tasks.
@Suite(.enabled(if: SQLiteShell.executable != nil), .timeLimit(.minutes(5)))
struct SharedStoreTests {
  @Test func aReadDoesNotWaitForAWrite() async throws {
    let sample = try await SampleStore.items(40_000)
    let barrier = Barrier()
    let update = BatchUpdate(
      entity: "Item", values: [.init("priority", .value(.integer(9)))])
    let task = Task { try await sample.store.batchUpdate(update, progress: barrier.hold) }
    await barrier.isReached()
    // During the write, a read returns the previous state.
    #expect(try await sample.store.fetch(Item.all.where(\.priority == 9).count) == 0)
    let counts = try await sample.store.read { try $0.fetch(Item.all.count) }
    #expect(counts == 40_000)
    barrier.open()
    #expect(try await task.value.changed == 40_000)
    #expect(try await sample.store.fetch(Item.all.where(\.priority == 9).count) == 40_000)
  }

  /// Each transaction writes ten rows, and readers never see another number of them.
  @Test(arguments: ["WAL", "DELETE"])
  func manyTasksReadWhileOneWrites(_ journal: String) async throws {
    let sample = try await SampleStore("Todo")
    try await sample.store.close()
    #expect(try sample.rows("PRAGMA journal_mode = \(journal)") == [journal.lowercased()])
    let store = try await PersistentStore.open(sample.path, schema: TodoModel.self)
    let seen = try await withThrowingTaskGroup(of: Set<Int>.self) { group in
      for _ in 0..<50 {
        group.addTask {
          var seen: Set<Int> = []
          for _ in 0..<20 { seen.insert(try await store.fetch(Item.all.count)) }
          return seen
        }
      }
      group.addTask {
        for round in 0..<60 {
          try await store.transaction { transaction in
            for number in 0..<10 {
              try transaction.create(Item(name: "item \(round) \(number)"))
            }
          }
          #expect(try await store.fetch(Item.all.count) == (round + 1) * 10)
        }
        return []
      }
      return try await group.reduce(into: Set<Int>()) { $0.formUnion($1) }
    }
    #expect(seen.allSatisfy { $0.isMultiple(of: 10) })
    #expect(try await store.fetch(Item.all.count) == 600)
    try await store.close()
  }

  /// The store is released without being closed, and the -wal must be checkpointed anyway.
  @Test func nothingIsLeftBeside() async throws {
    let sample = try await SampleStore.items(100)
    try await sample.store.close()
    try await Self.readAndWrite(sample.path)
    #expect(!FileManager.default.fileExists(atPath: sample.path + "-wal"))
    #expect(try sample.rows("SELECT count(*) FROM ZITEM") == ["101"])
  }

  private static func readAndWrite(_ path: String) async throws {
    let store = try await PersistentStore.open(path, schema: TodoModel.self)
    try await store.create(Item(name: "new"))
    #expect(try await store.fetch(Item.all.count) == 101)
  }

  /// A file that replaces the store's file is a different store.
  @Test func aFileInItsPlaceIsNotRead() async throws {
    let sample = try await SampleStore.items(100)
    try await sample.store.create(Item(name: "new"))
    let path = sample.path
    try FileManager.default.moveItem(atPath: path, toPath: path + ".old")
    #expect(try sample.rows("CREATE TABLE other (x)") == [])
    #expect(try await sample.store.fetch(Item.all.count) == 101)
    try await sample.store.close()
  }

  /// A read that has started returns its result, even if the store is closed at the same time.
  @Test func closingWaitsForReads() async throws {
    let sample = try await SampleStore.items(10)
    let store = sample.store
    let (begun, arrival) = AsyncStream<Void>.makeStream()
    let gate = DispatchSemaphore(value: 0)
    let read = Task {
      try await store.read { snapshot in
        arrival.yield()
        gate.wait()
        return try snapshot.fetch(Item.all.count)
      }
    }
    for await _ in begun { break }
    let close = Task { try await store.close() }
    gate.signal()
    #expect(try await read.value == 10)
    try await close.value
    let late = try await failure { _ = try await store.fetch(Item.all.count) }
    #expect(late?.reason == .closed)
  }

  /// Twenty tasks use a store that is repeatedly closed and reopened. Each request returns a result or fails because
  /// the store is closed, and no file stays open.
  @Test func itIsReopenedUnderLoad() async throws {
    let sample = try await SampleStore.items(500)
    try await sample.store.close()
    var created = 0
    for round in 0..<12 {
      let store = try await PersistentStore.open(sample.path, schema: TodoModel.self)
      let made = try await withThrowingTaskGroup(of: Int.self) { group in
        for task in 0..<20 {
          group.addTask {
            var made = 0
            do {
              while true {
                if task.isMultiple(of: 5) {
                  try await store.create(Item(name: "made \(round)"))
                  made += 1
                } else {
                  #expect(try await store.fetch(Item.all.count) >= 500)
                }
              }
            } catch let failure as StoreError {
              #expect(failure.reason == .closed, "\(failure)")
            }
            return made
          }
        }
        while try await store.fetch(Item.all.count) < 500 + created + 4 { await Task.yield() }
        #expect(try openFiles(of: sample.path) != [])
        try await store.close()
        return try await group.reduce(0, +)
      }
      created += made
      #expect(try openFiles(of: sample.path) == [])
    }
    #expect(try sample.rows("SELECT count(*) FROM ZITEM") == ["\(500 + created)"])
  }

  /// Returns the open files of this process that belong to a store.
  private func openFiles(of path: String) throws -> [String] {
    let store = URL(fileURLWithPath: path)
    // The system resolves symbolic links, so the beginning of the path may differ.
    let end = "\(store.deletingLastPathComponent().lastPathComponent)/\(store.lastPathComponent)"
    return try FileManager.default.contentsOfDirectory(atPath: "/dev/fd")
      .compactMap(Int32.init).compactMap(Self.path).filter { $0.contains(end) }
  }

  /// Returns the path of an open file, or nil if the descriptor is closed.
  private static func path(of descriptor: Int32) -> String? {
    var target = [CChar](repeating: 0, count: 4_096)
    #if canImport(Darwin)
      guard fcntl(descriptor, F_GETPATH, &target) == 0 else { return nil }
      let count = target.firstIndex(of: 0) ?? 0
    #else
      let count = readlink("/dev/fd/\(descriptor)", &target, target.count)
      guard count > 0 else { return nil }
    #endif
    return String(decoding: target[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  @Test func itIsClosedUnderLoad() async throws {
    let sample = try await SampleStore.items(5_000)
    let store = sample.store
    let tasks = (0..<20).map { _ in
      Task<Void, any Error> {
        while true {
          let count = try await store.fetch(Item.all.count)
          #expect(count == 5_000)
        }
      }
    }
    try await Task.sleep(for: .milliseconds(50))
    try await store.close()
    for task in tasks {
      let failed = try await failure { try await task.value }
      #expect(failed?.reason == .closed)
    }
    let again = try await PersistentStore.open(sample.path, schema: TodoModel.self)
    #expect(try await again.fetch(Item.all.count) == 5_000)
    try await again.close()
    // All connections are closed, and the last one has removed the -wal.
    #expect(!FileManager.default.fileExists(atPath: sample.path + "-wal"))
  }
}
