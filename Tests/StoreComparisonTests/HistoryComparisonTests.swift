import StoreDiagnostics
import RecordFormats
import SampleData
import SeededRandom
import SQLiteAccess
import StoreComparison
import StoreCore
import StoreLayout
import StoreModel
import StorePredicate
import StoreTestSupport
import Testing
import TestSupport

/// Compares the history of a store with the differences between the store and an earlier backup.
@Suite struct HistoryComparisonTests {
  private let now: GraphStore
  private let then: GraphStore
  private let token: Int64
  private var generator: SeededGenerator

  init() throws {
    (now, then, token, generator) = try Self.stores(seed: 1)
  }

  private static func stores(
    seed: UInt64
  ) throws -> (GraphStore, GraphStore, Int64, SeededGenerator) {
    let made = try GraphStore()
    try made.store.close()
    try made.file.keepHistory()
    let now = try GraphStore(reopening: made)
    let graph = RandomGraph(seed: seed, count: 8)
    try now.importing(graph.ndjson(order: Array(graph.objects.indices)))
    let path = now.file.folder.path("Then.sqlite")
    try now.store.backUp(to: LocalPath(path))
    let token = try now.store.read { try HistoryLog($0).lastTransaction() }
    return (now, try GraphStore(opening: path, beside: now), token, graph.generator)
  }

  @Test(arguments: 1...12 as ClosedRange<UInt64>)
  func aHistoryNamesWhatDiffers(seed: UInt64) throws {
    var (now, then, token, generator) = try Self.stores(seed: seed)
    for number in 0..<6 {
      let bound = Int.random(in: -3000...3000, using: &generator)
      switch generator.below(5) {
      case 0: try now.update("Thing", ["text=new \(number)"], where: "count16 > \(bound)")
      case 1:
        try now.update("Thing", ["flag=true", "count32=\(number)"], where: "count16 < \(bound)")
      case 2: try now.update("Thing", ["owner:=nil"], where: "count32 > \(bound)")
      case 3: try now.delete("Thing", where: "key == 'Thing \(generator.below(8))'")
      default: try now.importing(#"{"$entity": "Tag", "key": "t\#(number)"}"#)
      }
    }
    // A deletion is recorded for the deleted row, but not for the to-many relationships that contained it.
    let ignored = Set(now.layout.entities.flatMap(\.toMany.keys)).sorted()
    let plan = try ComparisonPlan(
      now.layout, now.layout, by: MatchingRules(rest: .objectID), of: .init(ignored: ignored))
    let told = try now.store.read { connection in
      try found { visit in
        try HistoryComparison(plan, since: .transaction(token)).run(
          now.compared(connection), visit: visit)
      }
    }
    let seen = try then.store.read { one in
      try now.store.read { other in
        try found { visit in
          try StoreComparison(plan).run(then.compared(one), now.compared(other), visit: visit)
        }
      }
    }
    for (row, properties) in seen {
      let named = try #require(told[row], "seed \(seed): the history does not tell of \(row)")
      #expect(named.isSuperset(of: properties), "seed \(seed): \(row)")
    }
    // Setting a value to its previous value isn't a difference.
    for row in told.keys where seen[row] == nil {
      #expect(row.hasPrefix("changed"), "seed \(seed)")
    }
  }

  @Test func refusesTokensOfAnIncompleteHistory() throws {
    try now.importing(#"{"$entity": "Tag"}"#)
    try now.importing(#"{"$entity": "Tag"}"#)
    let plan = try ComparisonPlan(now.layout, now.layout, by: MatchingRules(rest: .objectID))
    func run(since token: Int64) throws {
      try now.store.read {
        _ = try HistoryComparison(plan, since: .transaction(token)).run(now.compared($0))
      }
    }
    try run(since: token)
    _ = try now.store.write { try HistoryLog($0).prune(before: .transaction(token + 2)) }
    #expect(throws: HistoryTokenError.pruned(token, first: token + 2)) { try run(since: token) }
    try run(since: token + 1)
    #expect(throws: HistoryTokenError.later(token + 3, last: token + 2)) {
      try run(since: token + 3)
    }
  }

  /// Returns `changed Thing 7` with the properties.
  private func found(
    _ run: (@escaping (VisitedDifference) throws -> Void) throws -> ComparisonSummary
  ) throws -> [String: Set<String>] {
    var found: [String: Set<String>] = [:]
    let summary = try run { difference in
      let row = try #require(difference.new ?? difference.old)
      let key = row.rows.cells(ofRow: 0)[row.shape.cells[0]].integer
      let names = difference.properties.map { difference.entity.properties[$0].name }
      let name = "\(difference.kind.rawValue) \(difference.entity.name) \(key)"
      found[name] = difference.kind == .changed ? Set(names) : []
    }
    #expect(summary.differences == found.count)
    return found
  }
}

extension GraphStore {
  fileprivate func delete(_ entity: String, where predicate: String) throws {
    let plan = try BatchDelete(entity: entity, predicate: FormatPredicate(parsing: predicate))
      .plan(in: layout, knowsKeys: false)
    _ = try store.delete(plan, in: layout)
  }
}
