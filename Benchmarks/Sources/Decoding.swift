import Foundation
import GRDB
import StoreEngine

/// Compares reading all rows as values of a generated type with GRDB's records, in turns.
enum Decoding {
  private static let turns = 7

  /// A variant of reading all rows.
  private struct Way {
    let name: String
    /// Returns the number of rows and a sum over them, which must be equal for all variants.
    let read: () async throws -> Result
  }

  private struct Result: Hashable {
    var rows = 0
    var sum = 0

    mutating func add(_ errand: Stored<Errand>) {
      let value = errand.value
      add(errand.id.objectID.primaryKey, value.name, value.note, value.priority)
    }

    mutating func add(_ key: Int64, _ name: String, _ note: String?, _ priority: Int16) {
      rows += 1
      sum &+= Int(key) &* (name.utf8.count + (note?.utf8.count ?? 0) + Int(priority))
    }
  }

  static func run(_ rows: Int) async throws {
    let errands = try await ErrandStore(rows)
    defer { try? errands.remove() }
    let store = try await errands.open()
    let queue = try DatabaseQueue(path: errands.path)
    let ways = [
      Way(name: "store.fetch(Errand.all)") { try await fetched(store) },
      Way(name: "store.stream(Errand.all)") { try await streamed(store) },
      Way(name: "GRDB, by position") { try await records(ErrandByPosition.self, queue) },
      Way(name: "GRDB, by name") { try await records(ErrandByName.self, queue) },
    ]
    var costs = [[Cost]](repeating: [], count: ways.count)
    var first: Result?
    for turn in 0...turns {
      for (index, way) in ways.enumerated() {
        var outcome = Result()
        let cost = try await Cost.of { outcome = try await way.read() }
        precondition(
          outcome == first ?? outcome && outcome.rows == rows, "\(way.name) reads others")
        first = outcome
        // The first turn is a warm-up.
        if turn > 0 { costs[index].append(cost) }
      }
    }
    try await store.close()
    report(rows, ways, costs)
  }

  private static func fetched(_ store: PersistentStore) async throws -> Result {
    var outcome = Result()
    for errand in try await store.fetch(Errand.all) { outcome.add(errand) }
    return outcome
  }

  private static func streamed(_ store: PersistentStore) async throws -> Result {
    var outcome = Result()
    for try await batch in store.stream(Errand.all) {
      for errand in batch { outcome.add(errand) }
    }
    return outcome
  }

  private static func records<Record: ErrandRecord & Sendable>(
    _: Record.Type, _ queue: DatabaseQueue
  ) async throws -> Result {
    var outcome = Result()
    let records = try await queue.read { try Record.fetchAll($0, sql: ErrandColumns.sql) }
    for record in records {
      outcome.add(record.key, record.name, record.note, record.priority)
    }
    return outcome
  }

  private static func report(_ rows: Int, _ ways: [Way], _ costs: [[Cost]]) {
    print("\(rows) rows".padded(26), "     ms    CPU ms   to position   CPU   to name   CPU")
    for (way, own) in zip(ways, costs) {
      func median(_ value: (Int) -> Double) -> Double {
        own.indices.reduce(into: Samples()) { $0.append(value($1)) }.median
      }
      func ratios(to other: Int) -> (wall: Double, cpu: Double) {
        (
          median { own[$0].wall / costs[other][$0].wall },
          median { own[$0].cpu / costs[other][$0].cpu }
        )
      }
      let (position, name) = (ratios(to: 2), ratios(to: 3))
      print(
        way.name.padded(26), median { own[$0].wall }.digits(0, width: 7),
        median { own[$0].cpu }.digits(0, width: 9), position.wall.digits(2, width: 13),
        position.cpu.digits(2, width: 5), name.wall.digits(2, width: 9),
        name.cpu.digits(2, width: 5))
    }
    print("limit of a fetch".padded(26), 0.7.digits(2, width: 47))
  }
}
