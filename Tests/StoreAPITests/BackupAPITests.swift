import Foundation
import StoreEngine
import StoreModel
import StorePredicate
import Synchronization
import TestSupport
import Testing

/// Backups of open stores.
@Suite(.enabled(if: SQLiteShell.executable != nil), .timeLimit(.minutes(5)))
struct BackupAPITests {
  /// The output of the sqlite3 shell for a statement on another file than the store.
  private func rows(_ sql: String, in path: String, _ sample: SampleStore) throws -> [String] {
    let outcome = try BuiltCommand(in: sample.folder.url).run(
      "'\(SQLiteShell.executable ?? "sqlite3")' '\(path)'", input: sql)
    return (outcome.errors + outcome.output).split(separator: "\n").map(String.init)
  }

  private func files(_ sample: SampleStore) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: sample.folder.url.path).sorted()
  }

  /// Another process inserts transactions of five rows, and this process transactions of two.
  @Test(arguments: ["WAL", "DELETE"])
  func aCopyHasOneStateWhileOthersWrite(_ journal: String) async throws {
    let sample = try await SampleStore("Todo")
    try await sample.store.close()
    _ = try sample.rows(
      """
      PRAGMA journal_mode = \(journal);
      CREATE TABLE filler (b); INSERT INTO filler VALUES (zeroblob(20000000));
      """)
    let store = try await PersistentStore.open(
      sample.path, schema: TodoModel.self, options: .init(lockTimeout: .seconds(60)))
    let process = Process()
    process.executableURL = BuiltCommand.folder.appendingPathComponent("StoreWriter")
    process.arguments = [
      sample.path, BuiltCommand.repository.appendingPathComponent("Models/Todo.xcdatamodeld").path,
      "5", "1",
    ]
    process.standardOutput = Pipe()
    try process.run()
    defer { process.terminate() }
    let own = Task {
      while !Task.isCancelled {
        try await store.transaction { transaction in
          for _ in 0..<2 { try transaction.create(Item(name: "own")) }
        }
      }
    }
    while try await store.fetch(Item.all.where(\.name != "own").count) == 0 {}
    var counts: [Int] = []
    for number in 1...4 {
      let path = sample.folder.path("Copy \(number).sqlite")
      let notes = Shares()
      try await store.backup(to: path, progress: notes.note)
      #expect(notes.all == notes.all.sorted() && notes.all.count > 2 && notes.all.last == 1)
      #expect(try rows("PRAGMA integrity_check", in: path, sample) == ["ok"])
      let copy = try await PersistentStore.open(path, schema: TodoModel.self, options: .readOnly)
      let names = try await copy.fetch(Item.all.select(\.name))
      let numbers = names.reduce(into: [:]) { $0[$1, default: 0] += 1 }
      #expect(numbers.filter { $0.key != "own" }.values.allSatisfy { $0 == 5 })
      #expect(numbers["own", default: 0].isMultiple(of: 2))
      counts.append(names.count)
      try await copy.close()
    }
    #expect(counts == counts.sorted() && counts[0] > 0)
    if journal == "WAL" { #expect(counts[0] < counts[3]) }
    #expect(process.isRunning)
    own.cancel()
    _ = await own.result
    try await store.close()
  }

  @Test func aFileIsReplacedOnRequest() async throws {
    let sample = try await SampleStore.items(3)
    let path = sample.folder.path("Copy.sqlite")
    try await sample.store.backup(to: URL(fileURLWithPath: path))
    try await sample.store.batchInsert([["name": .string("new")]], into: "Item")
    let error = try await failure { try await sample.store.backup(to: path) }
    #expect(error?.reason == .exists)
    #expect(try rows("SELECT count(*) FROM ZITEM", in: path, sample) == ["3"])
    try await sample.store.backup(to: path, replacesExisting: true)
    #expect(try rows("SELECT count(*) FROM ZITEM", in: path, sample) == ["4"])
  }

  @Test func theStoreAndOtherFilesArentReplaced() async throws {
    let sample = try await SampleStore.items(3)
    let before = try sample.content()
    try sample.folder.write("stray", to: "Copy.sqlite-wal")
    for path in [sample.path, sample.folder.path("Copy.sqlite"), sample.folder.url.path] {
      let error = try await failure {
        try await sample.store.backup(to: path, replacesExisting: true)
      }
      #expect(error?.reason == .exists)
    }
    let missing = try await failure {
      try await sample.store.backup(to: sample.folder.path("missing/Copy.sqlite"))
    }
    #expect(missing?.reason == .notFound)
    #expect(try sample.content() == before)
    #expect(try files(sample).filter { $0.contains("Copy") } == ["Copy.sqlite-wal"])
  }

  /// A cancelled backup leaves the file that it would have replaced.
  @Test(arguments: [false, true]) func cancelling(replaces: Bool) async throws {
    let sample = try await SampleStore.items(3)
    let path = sample.folder.path("Copy.sqlite")
    if replaces { try await sample.store.backup(to: path) }
    _ = try sample.rows("CREATE TABLE filler (b); INSERT INTO filler VALUES (zeroblob(9000000));")
    let before = try files(sample)
    let barrier = Barrier()
    let task = Task {
      try await sample.store.backup(to: path, replacesExisting: replaces) { _ in
        barrier.hold(BatchProgress(rows: 0))
      }
    }
    await barrier.isReached()
    // Requests don't wait for the backup.
    try await sample.store.batchInsert([["name": .string("new")]], into: "Item")
    task.cancel()
    barrier.open()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try files(sample) == before)
    if replaces { #expect(try rows("SELECT count(*) FROM ZITEM", in: path, sample) == ["3"]) }
  }

  @Test func aStoreThatIsOnlyReadIsCopied() async throws {
    let sample = try await SampleStore.items(3)
    try await sample.store.close()
    let store = try await PersistentStore.open(
      sample.path, schema: TodoModel.self, options: .readOnly)
    try await store.backup(to: sample.folder.path("Copy.sqlite"))
    #expect(try files(sample) == ["Copy.sqlite", "Todo.sqlite"])
    try await store.close()
    let error = try await failure {
      try await store.backup(to: sample.folder.path("Other.sqlite"))
    }
    #expect(error?.reason == .closed)
  }
}

/// Collects the progress reports of a backup.
private final class Shares: Sendable {
  private let shares = Mutex<[Double]>([])

  @Sendable func note(_ share: Double) { shares.withLock { $0.append(share) } }

  var all: [Double] { shares.withLock { $0 } }
}
