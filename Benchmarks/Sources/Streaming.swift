import Foundation
import StoreEngine

/// Measures the first batch of a stream, the end after a cancellation, and the effect on other requests.
enum Streaming {
  fileprivate struct Case {
    let name: String
    let query: TypedQuery<Errand>
    var limit = ""
  }

  private static let inOrder = Case(name: "in order of the keys", query: Errand.all, limit: "5 ms")
  private static let indexed = Case(
    name: "sorted by an index", query: Errand.all.ordered(by: \.name), limit: "5 ms")
  private static let unindexed = Case(
    name: "sorted without an index", query: Errand.all.ordered(by: \.note))
  private static let none = Case(
    name: "a search without rows", query: Errand.all.where(.contains(\.note, "nowhere")))

  static func run(_ rows: Int) async throws {
    let errands = try await ErrandStore(rows)
    defer { try? errands.remove() }
    let store = try await errands.open()
    print("\(rows) rows")
    print("\nfirst batch".padded(35), "median ms   worst   CPU ms   limit")
    for one in [inOrder, indexed] { try await timeFirstBatch(one, store, turns: 41) }
    try await timeFirstBatch(unindexed, store, turns: 5)
    print("\ncancelled".padded(35), "median ms   worst   CPU ms after it   limit")
    for one in [inOrder, indexed, unindexed, none] { try await timeCancelling(one, store) }
    try await Neighbours(store: store, path: errands.path).run()
    try await store.close()
    try await withRollbackJournal(errands)
  }

  private static func timeFirstBatch(
    _ one: Case, _ store: PersistentStore, turns: Int
  ) async throws {
    var (wall, cpu) = (Samples(), Samples())
    for turn in 0...turns {
      let cost = try await Cost.of {
        for try await _ in store.stream(one.query) { break }
      }
      // The first turn is a warm-up.
      guard turn > 0 else { continue }
      wall.append(cost.wall)
      cpu.append(cost.cpu)
    }
    print(
      one.name.padded(34), wall.median.digits(2, width: 9), wall.worst.digits(2, width: 7),
      cpu.median.digits(2, width: 8), "  \(one.limit)")
  }

  /// Cancels a loop at times that are distributed over its duration.
  private static func timeCancelling(_ one: Case, _ store: PersistentStore) async throws {
    let whole = try await Cost.of { try await readAll(one, store) }
    var (wall, left) = (Samples(), Samples())
    for turn in 1..<cancelTurns {
      let task = Task { try await readAll(one, store) }
      try await Task.sleep(for: .milliseconds(whole.wall * Double(turn) / Double(cancelTurns)))
      let cost = try await Cost.of {
        task.cancel()
        // A loop that has already ended can't be cancelled.
        if case .success = await task.result { return }
      }
      wall.append(cost.wall)
      left.append(try await processorTimeUntilIdle())
    }
    print(
      one.name.padded(34), wall.median.digits(2, width: 9), wall.worst.digits(2, width: 7),
      left.worst.digits(0, width: 16), "  50 ms, of \(whole.wall.digits(0))")
  }

  private static let cancelTurns = 20

  private static func readAll(_ one: Case, _ store: PersistentStore) async throws {
    for try await _ in store.stream(one.query) {}
    try Task.checkCancellation()
  }

  /// Returns the CPU time that other threads use until they are idle.
  private static func processorTimeUntilIdle() async throws -> Double {
    let start = processorTime()
    while true {
      let before = processorTime()
      try await Task.sleep(for: .milliseconds(20))
      if processorTime() - before < 1 { return before - start }
    }
  }

  /// Measures a store with a rollback journal, for which a stream copies the result first.
  private static func withRollbackJournal(_ errands: ErrandStore) async throws {
    try errands.useRollbackJournal()
    let store = try await errands.open()
    print("\nrollback journal: first batch".padded(35), "median ms   worst   CPU ms   limit")
    for one in [inOrder, none] {
      try await timeFirstBatch(Case(name: one.name, query: one.query), store, turns: 5)
    }
    print("\nrollback journal: cancelled".padded(35), "median ms   worst   CPU ms after it   limit")
    for one in [inOrder, none] { try await timeCancelling(one, store) }
    try await store.close()
  }
}
