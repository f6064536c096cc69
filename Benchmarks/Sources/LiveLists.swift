import Foundation
import StoreEngine
import StoreModelReader

/// Measures the time from the commit of a change to its change set.
struct LiveLists {
  private static let rounds = 40
  private static let lists = 100
  private let path: String
  private let store: PersistentStore

  static func run(_ rows: Int) async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appendingPathComponent("Stock.sqlite").path
    let model = try ModelBundle(at: "Benchmarks/Stock.xcdatamodel").requireCurrentVersion().read()
      .model
    try await PersistentStore.create(path, for: model)
    let store = try await PersistentStore.open(path, models: [model])
    try await fill(store, rows)
    print("\(rows) rows in \(lists) sections, in an order that no index has\n")
    let benchmark = LiveLists(path: path, store: store)
    try await benchmark.timeFirstLists()
    try await benchmark.timeChanges()
    try await store.close()
  }

  private static func fill(_ store: PersistentStore, _ rows: Int) async throws {
    try await store.batchInsert(
      (1...rows).lazy.map { number -> [String: DataValue] in
        let mixed = UInt32(truncatingIfNeeded: number &* 2_654_435_761)
        return [
          "code": .integer(Int64(number)), "amount": .integer(Int64(number % lists)),
          "name": .string("part \(String(mixed, radix: 16))"),
          "note": .string("kept in box \(number)"),
        ]
      }, into: "Part")
  }

  private var request: StoreFetchRequest {
    StoreFetchRequest(
      entity: "Part", sort: [SortKey(.keyPath("name"))],
      sections: .keyPath("amount"))
  }

  // MARK: The first list

  private func timeFirstLists() async throws {
    print("first list".padded(28), " wall ms   CPU ms")
    try await timeList("read", .none)
    // Creates the cache.
    _ = try await store.liveResults(request, tracking: .cached(name: "parts"))
    try await timeList("cached", .cached(name: "parts"))
  }

  private func timeList(_ name: String, _ tracking: ResultTracking) async throws {
    let cost = try await Cost.of { _ = try await store.liveResults(request, tracking: tracking) }
    print(name.padded(28), cost.wall.digits(0, width: 8), cost.cpu.digits(0, width: 8))
  }

  // MARK: Changes

  private func timeChanges() async throws {
    let results = try await store.liveResults(request)
    print("\none change".padded(29), "median ms   worst   CPU ms   limit")
    try await time("a value, this process", results) { try await update("note", "\($0)", $0) }
    try await time("a move, this process", results) { try await update("name", "to \($0)", $0) }
    try await time("a value, other process", results) { round in
      try shell("UPDATE ZPART SET ZNOTE = 'x\(round)' WHERE ZCODE = \(round + 1)")
    }
    try await time("a move, other process", results) { round in
      try shell("UPDATE ZPART SET ZNAME = 'y\(round)' WHERE ZCODE = \(round + 1)")
    }
    try await timeIdle("one list, idle")
    withExtendedLifetime(results) {}
    var lists: [LiveResults<FetchedRow>] = []
    for number in 0..<200 {
      lists.append(
        try await store.liveResults(
          StoreFetchRequest(
            entity: "Part", predicate: try FormatPredicate(parsing: "code == \(number)"))))
    }
    try await timeIdle("200 lists, idle")
    withExtendedLifetime(lists) {}
  }

  private func timeIdle(_ name: String) async throws {
    // The checks become less frequent during the first second after a write.
    try await Task.sleep(for: .seconds(1))
    let idle = try await Cost.of { try await Task.sleep(for: .seconds(5)) }
    print("\(name): \((idle.cpu / idle.wall * 100).digits(2)) % of a processor core")
  }

  /// Measures the delays of several changes.
  ///
  /// - Parameter write: Changes one row, and returns the time in seconds since 1970.
  private func time(
    _ name: String, _ results: LiveResults<FetchedRow>,
    _ write: (Int) async throws -> Double
  ) async throws {
    var changes = results.changes.makeAsyncIterator()
    var (delays, cpu) = (Samples(), Samples())
    for round in 0..<Self.rounds {
      let start = processorTime()
      let written = try await write(round)
      guard let change = try await changes.next() else { return }
      delays.append((Date().timeIntervalSince1970 - written) * 1_000)
      cpu.append(processorTime() - start)
      precondition(change.difference.count == 1, "\(change.difference)")
    }
    print(
      name.padded(28), delays.median.digits(1, width: 9), delays.worst.digits(1, width: 7),
      cpu.median.digits(1, width: 8), "  50 ms")
  }

  /// Updates one row.
  ///
  /// - Returns: The time before the request, so that the measurement includes the update.
  private func update(_ property: String, _ text: String, _ round: Int) async throws -> Double {
    let start = Date().timeIntervalSince1970
    try await store.batchUpdate(
      BatchUpdate(
        entity: "Part", values: [.init(property, .value(.string(text)))],
        predicate: try FormatPredicate(parsing: "code == \(round + 1)")))
    return start
  }

  /// Runs a statement in the sqlite3 shell.
  ///
  /// - Returns: The time directly after its commit.
  private func shell(_ sql: String) throws -> Double {
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
    guard let time = Double(text.trimmingCharacters(in: .whitespacesAndNewlines)) else {
      throw CocoaError(.executableLoad)
    }
    return time
  }
}
