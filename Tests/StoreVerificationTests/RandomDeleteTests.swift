import SampleData
import SeededRandom
import StoreModel
import StorePredicate
import StoreTestSupport
import Testing

@testable import SQLiteAccess
@testable import StoreDiagnostics
@testable import StoreCore
@testable import StoreLayout
@testable import StoreVerification

/// Deleting by set-based statements has the same result as deleting one object after the other.
@Suite struct RandomDeleteTests {
  private static let seedsPerCase = 50

  @Test(arguments: 0..<UInt64(Soak.times(15)))
  func agreesWithObjects(_ part: UInt64) throws {
    let count = UInt64(Self.seedsPerCase)
    for seed in part * count..<(part + 1) * count { try compare(seed) }
  }

  private func compare(_ seed: UInt64) throws {
    let graph = RuledGraph(seed: seed)
    var generator = SeededGenerator(seed: seed ^ 0xDE1E7E)
    let (request, objects) = try Self.request(on: graph, &generator)
    var expected = ObjectDeletion(graph)
    if request.rules == .none {
      expected.deleteWithoutRules(objects)
    } else {
      for object in objects { expected.delete(object) }
    }
    let way = DeletionStrategy.allCases.randomElement(using: &generator)
    let knowsKeys = Bool.random(using: &generator)
    try MemoryDatabase().inside { connection in
      try graph.insert(into: connection)
      let before = try graph.lines(in: connection)
      let plan = try request.plan(in: graph.layout, knowsKeys: knowsKeys)
      var deletion = Deletion(
        plan: plan, layout: graph.layout, store: "STORE", connection: connection,
        cancellation: Cancellation(), strategy: DeletionStrategy.preferring(way))
      if Bool.random(using: &generator) {
        deletion.wholeSize = 0
        deletion.pieceSize = 3
      }
      try deletion.find()
      if request.rules == .model, expected.isRefused {
        #expect(throws: DeletionRefusal.self, "seed \(seed)") {
          try deletion.requirePermission()
        }
        return
      }
      try deletion.requirePermission()
      let findings = try deletion.findings()
      #expect(findings.deleted == expected.deleted, "seed \(seed)")
      #expect(findings.nullified == expected.nullified, "seed \(seed)")
      #expect(findings.dangling == expected.dangling, "seed \(seed)")
      #expect(try graph.lines(in: connection) == before, "seed \(seed): the search changed rows")
      var done: [Int] = []
      try deletion.run(findings) { done.append($0) }
      #expect(done == done.sorted(), "seed \(seed)")
      #expect((done.last ?? 0) <= findings.deletedCount, "seed \(seed)")
      let left = RuledGraph.lines(expected.rows(withoutRules: request.rules == .none))
      #expect(try graph.lines(in: connection) == left, "seed \(seed)")
      let check = try connection.rows("PRAGMA integrity_check")
      #expect(check == [[.text("ok")]], "seed \(seed)")
      guard expected.dangling.isEmpty else { return }
      let lost = try Self.lost(in: graph.layout, on: connection, rules: request.rules)
      #expect(lost.isEmpty, "seed \(seed)")
    }
  }

  /// The short form for one row either has the same result, or leaves the row to the batch delete.
  @Test(arguments: 0..<UInt64(Soak.times(8)))
  func oneRowAgreesWithObjects(_ part: UInt64) throws {
    let count = UInt64(Self.seedsPerCase)
    var deletedCount = 0
    for seed in part * count..<(part + 1) * count where try isDeletedAlone(seed) {
      deletedCount += 1
    }
    #expect(deletedCount > 5, "part \(part)")
  }

  /// Returns whether the short form deletes a random object of a graph.
  private func isDeletedAlone(_ seed: UInt64) throws -> Bool {
    let graph = RuledGraph(seed: seed)
    var generator = SeededGenerator(seed: seed ^ 0x1D)
    let object = try #require(graph.entities.indices.randomElement(using: &generator))
    var expected = ObjectDeletion(graph)
    expected.delete(object)
    return try MemoryDatabase().inside { connection in
      try graph.insert(into: connection)
      let before = try graph.lines(in: connection)
      let deletion = try RowDeletion(
        of: graph.entities[object], in: graph.layout, storeUUID: "STORE")
      let findings = try deletion?.run(
        key: graph.keys[object], on: connection, graph.layout)
      guard let findings else {
        #expect(try graph.lines(in: connection) == before, "seed \(seed)")
        return false
      }
      #expect(!expected.isRefused, "seed \(seed)")
      #expect(findings.deleted == expected.deleted, "seed \(seed)")
      #expect(findings.nullified == expected.nullified, "seed \(seed)")
      #expect(findings.dangling == expected.dangling, "seed \(seed)")
      let left = RuledGraph.lines(expected.rows(withoutRules: false))
      #expect(try graph.lines(in: connection) == left, "seed \(seed)")
      return true
    }
  }

  /// Returns the dangling references and pairs that `verify` finds. Without rules, a pair may also remain if both of
  /// its rows are deleted.
  private static func lost(
    in layout: StoreLayout, on connection: Connection, rules: BatchDelete.Rules
  ) throws -> [StoreFinding] {
    try layout.checks(in: connection.schema()).compactMap { check in
      try check.ask(connection) { "\($0) p\($1)" }
    }.filter { finding in
      switch finding.kind {
      case .dangling, .wrongDestinationEntity, .lostOwner: true
      case .ghostPairs: rules == .model
      default: false
      }
    }
  }

  /// Returns a random request and the objects that it deletes.
  static func request(
    on graph: RuledGraph, _ generator: inout SeededGenerator
  ) throws -> (BatchDelete, [Int]) {
    let entity = try #require(graph.model.entities.randomElement(using: &generator))
    let includesSubentities = Int.random(in: 0..<4, using: &generator) > 0
    var objects = graph.objects(of: entity.name).filter { object in
      includesSubentities || graph.entities[object] == entity.name
    }
    var predicate: FormatPredicate?
    if Int.random(in: 0..<4, using: &generator) > 0 {
      objects = objects.filter { _ in Int.random(in: 0..<3, using: &generator) == 0 }
      let numbers = objects.map { "\($0)" }.joined(separator: ", ")
      predicate = try FormatPredicate(parsing: "number IN {\(numbers)}")
    }
    return (
      BatchDelete(
        entity: entity.name, predicate: predicate, includesSubentities: includesSubentities,
        rules: Int.random(in: 0..<8, using: &generator) == 0 ? .none : .model),
      objects
    )
  }
}
