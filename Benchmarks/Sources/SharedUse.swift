import Foundation
import StoreEngine

/// Tests one open store under load: many tasks read while one task writes. All requests must succeed.
enum SharedUse {
  private static let readers = 50
  private static let rows = 100_000
  /// The number of rows that each transaction adds. If a count isn't a multiple of it, a reader has seen a part of a
  /// transaction.
  private static let batch = 10

  /// The work of one task.
  private struct Tally {
    var reads = Samples()
    var writes = Samples()
    /// The number of failures by reason.
    var failures: [String: Int] = [:]
    var halves = 0

    mutating func add(_ other: Tally) {
      reads.append(contentsOf: other.reads)
      writes.append(contentsOf: other.writes)
      failures.merge(other.failures, uniquingKeysWith: +)
      halves += other.halves
    }

    mutating func time(_ samples: WritableKeyPath<Tally, Samples>, _ work: () async throws -> Void)
      async
    {
      let start = ContinuousClock.now
      do {
        try await work()
        self[keyPath: samples].append((ContinuousClock.now - start).inMilliseconds)
      } catch let failure as StoreError {
        failures[failure.reason.rawValue, default: 0] += 1
      } catch {
        failures["\(error)", default: 0] += 1
      }
    }
  }

  static func run(_ duration: Duration) async throws {
    let errands = try await ErrandStore(rows)
    defer { try? errands.remove() }
    let store = try await errands.open()
    let start = ContinuousClock.now
    let end = start + duration
    let tally = await withTaskGroup(of: Tally.self) { group in
      for number in 0..<readers { group.addTask { await read(number, from: store, until: end) } }
      group.addTask { await write(to: store, until: end) }
      return await group.reduce(into: Tally()) { $0.add($1) }
    }
    let seconds = (ContinuousClock.now - start).inMilliseconds / 1_000
    let count = try await store.fetch(Errand.all.count)
    try await store.close()
    report(tally, seconds)
    precondition(count == rows + tally.writes.values.count * batch, "a transaction is lost")
    guard tally.failures.isEmpty, tally.halves == 0 else { exit(1) }
  }

  /// Reads by key, by an index, and with a count that reveals partial transactions.
  private static func read(
    _ number: Int, from store: PersistentStore, until end: ContinuousClock.Instant
  ) async -> Tally {
    var tally = Tally()
    var random = SystemRandomNumberGenerator()
    while ContinuousClock.now < end {
      let key = Int64.random(in: 1...Int64(rows), using: &random)
      let choice = Int.random(in: 0..<20, using: &random)
      var added = 0
      await tally.time(\.reads) {
        switch choice {
        case 0: added = try await store.fetch(Errand.all.where(\.priority == 9).count)
        case 1...5: _ = try await store.fetch(Errand.all.where(\.priority == 3).limit(100))
        default:
          let id = ObjectID(store: nil, entity: "Errand", primaryKey: key)
          if let id = Errand.ID(id) { _ = try await store.object(id) }
        }
      }
      if !added.isMultiple(of: batch) { tally.halves += 1 }
    }
    return tally
  }

  private static func write(
    to store: PersistentStore, until end: ContinuousClock.Instant
  ) async -> Tally {
    var tally = Tally()
    while ContinuousClock.now < end {
      await tally.time(\.writes) {
        try await store.transaction { transaction in
          for number in 0..<batch {
            try transaction.create(Errand(name: "added \(number)", priority: 9))
          }
        }
      }
    }
    return tally
  }

  private static func report(_ tally: Tally, _ seconds: Double) {
    print("\(readers) tasks read while one writes, \(seconds.digits(1)) s")
    print("".padded(8), "    count  per second  p50 ms  p99 ms  worst")
    for (name, samples) in [("reads", tally.reads), ("writes", tally.writes)] {
      let count = samples.values.count
      print(
        name.padded(8), "\(count)".leftPadded(9), (Double(count) / seconds).digits(0, width: 11),
        samples.median.digits(2, width: 7), samples.quantile(0.99).digits(2, width: 7),
        samples.worst.digits(1, width: 6))
    }
    print(
      "failures: \(tally.failures.isEmpty ? "none" : "\(tally.failures)"), halves: \(tally.halves)")
  }
}
