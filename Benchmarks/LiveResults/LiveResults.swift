import Foundation
import StoreEngine
import StoreModel
import StoreModelReader
import StorePredicate

/// Times live results: how long after the commit of one change the change set is there. See README.md.
///
///     Benchmarks/live [ROWS]
@main
struct LiveResults {
  private static let rounds = 40
  private static let lists = 100

  static func main() async throws {
    let rows = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 100_000
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appendingPathComponent("Stock.sqlite").path
    let model = try ModelBundle(at: "Benchmarks/Stock.xcdatamodel").requireCurrentVersion().read()
      .model
    try await PersistentStore.create(path, for: model)
    let store = try await PersistentStore.open(path, models: [model])
    try await fill(store, rows)

    func key(_ name: String) -> StorePredicate.Expression {
      Expression(.keyPath(base: Expression(.selfObject), [KeyPathStep(.key(name))]))
    }
    let request = FetchRequest(
      entity: "Part", sort: [SortKey(key("name"))], sections: key("amount"))
    let clock = ContinuousClock()
    var start = clock.now
    _ = try await store.liveResults(request, tracking: .none)
    let first = clock.now - start
    print("\(rows) rows in \(lists) sections, in an order that no index has")
    print("initial list".padded, "\(first.milliseconds) ms")
    _ = try await store.liveResults(request, tracking: .cached(name: "parts"))
    start = clock.now
    _ = try await store.liveResults(request, tracking: .cached(name: "parts"))
    let cached = clock.now - start
    print("initial list, cached".padded, "\(cached.milliseconds) ms")

    let results = try await store.liveResults(request)
    @Sendable func measure(
      _ name: String, _ write: @Sendable (Int) async throws -> Double
    ) async throws {
      var changes = results.changes.makeAsyncIterator()
      var delays: [Double] = []
      for round in 0..<rounds {
        let committed = try await write(round)
        guard let change = try await changes.next() else { return }
        delays.append((Date().timeIntervalSince1970 - committed) * 1_000)
        precondition(change.difference.count == 1, "\(change.difference)")
      }
      delays.sort()
      let median = String(format: "%.1f", delays[delays.count / 2])
      let worst = String(format: "%.1f", delays[delays.count - 1])
      print(name.padded, "median \(median) ms, worst \(worst) ms, limit 50 ms")
    }
    try await measure("one value, in process") { round in
      let update = BatchUpdate(
        entity: "Part", values: [.init("note", .value(.string("\(round)")))],
        predicate: try Predicate(parsing: "code == \(round + 1)"))
      try await store.batchUpdate(update)
      return Date().timeIntervalSince1970
    }
    try await measure("one move, in process") { round in
      let update = BatchUpdate(
        entity: "Part", values: [.init("name", .value(.string("moved \(round)")))],
        predicate: try Predicate(parsing: "code == \(round + 1)"))
      try await store.batchUpdate(update)
      return Date().timeIntervalSince1970
    }
    try await measure("one value, other process") { round in
      try shell(path, "UPDATE ZPART SET ZNOTE = 'x\(round)' WHERE ZCODE = \(round + 1)")
    }
    try await measure("one move, other process") { round in
      try shell(path, "UPDATE ZPART SET ZNAME = 'y\(round)' WHERE ZCODE = \(round + 1)")
    }
    let idle = try await processorTime(of: .seconds(5))
    print("idle".padded, String(format: "%.2f %% of a processor", idle * 100))
    try await store.close()
  }

  private static func fill(_ store: PersistentStore, _ rows: Int) async throws {
    try await store.batchInsert(
      (1...rows).lazy.map { number -> [String: Value] in
        let mixed = UInt32(truncatingIfNeeded: number &* 2_654_435_761)
        return [
          "code": .integer(Int64(number)), "amount": .integer(Int64(number % lists)),
          "name": .string("part \(String(mixed, radix: 16))"),
          "note": .string("kept in box \(number)"),
        ]
      }, into: "Part")
  }

  /// Runs a statement in the sqlite3 shell.
  ///
  /// - Returns: the time, in seconds since 1970, right behind its commit.
  private static func shell(_ path: String, _ sql: String) throws -> Double {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "sqlite3", path, "\(sql); SELECT (julianday('now') - 2440587.5) * 86400.0",
    ]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return Double(text.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0
  }

  private static func processorTime(of duration: Duration) async throws -> Double {
    let start = clock()
    try await Task.sleep(for: duration)
    return Double(clock() - start) / Double(CLOCKS_PER_SEC) / Double(duration.components.seconds)
  }
}

extension Duration {
  fileprivate var milliseconds: String {
    String(
      format: "%.0f",
      Double(components.seconds) * 1_000 + Double(components.attoseconds) / 1e15)
  }
}

extension String {
  fileprivate var padded: String { padding(toLength: 26, withPad: " ", startingAt: 0) }
}
