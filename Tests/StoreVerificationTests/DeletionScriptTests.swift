import StoreDiagnostics
import PlainSQLite
import SeededRandom
import StoreModel
import StoreTestSupport
import TestSupport
import Testing

@testable import SQLiteAccess
@testable import StoreCore
@testable import StoreLayout

/// The SQL of a deletion has the same result as the deletion itself, under delete rules of every kind.
@Suite struct DeletionScriptTests {
  private enum Result: Equatable {
    case content([String])
    case refused
  }

  @Test(arguments: 0..<UInt64(Soak.times(4))) func leavesWhatTheDeletionLeaves(_ group: UInt64)
    throws
  {
    var done = 0
    for seed in group * 20 + 1...group * 20 + 20 {
      let trial = try Trial(seed)
      let expected = try trial.outcome(on: trial.file.path)
      guard let script = try trial.script(from: trial.file.path) else {
        #expect(expected == .refused, "seed \(seed)")
        continue
      }
      let found = try trial.run(script)
      #expect(found == expected, "seed \(seed): \(script.text)")
      done += 1
    }
    #expect(done >= 5)
  }

  /// A script that was created for a store with fewer rows either stops, or has the same result as the deletion.
  @Test(arguments: 0..<UInt64(Soak.times(4))) func doesNoHarmToOtherRows(_ group: UInt64) throws {
    var (done, stopped) = (0, 0)
    for seed in group * 20 + 201...group * 20 + 220 {
      let trial = try Trial(seed)
      guard let smaller = try trial.smallerStore(),
        let script = try trial.script(from: smaller), !script.statements.isEmpty
      else { continue }
      let before = try PlainDatabase(trial.file.path).content()
      let expected = try trial.outcome(on: trial.file.path)
      let found = try trial.run(script)
      if found == .content(before), expected != found {
        stopped += 1
      } else {
        #expect(found == expected, "seed \(seed): \(script.text)")
        done += 1
      }
    }
    #expect(done + stopped > 0, "\(done) \(stopped)")
  }

  private struct Trial {
    let graph: RuledGraph
    let request: BatchDelete
    let file: StoreFixture
    private let other: BatchDelete

    init(_ seed: UInt64) throws {
      graph = RuledGraph(seed: seed)
      var generator = SeededGenerator(seed: seed ^ 0x5C1)
      request = try RandomDeleteTests.request(on: graph, &generator).0
      other = try RandomDeleteTests.request(on: graph, &generator).0
      file = try StoreFixture(graph.model)
      let store = try Store.open(LocalPath(file.path), .writing)
      try store.write { try graph.insertRows(into: $0) }
      try store.close()
    }

    private func copy(of path: String) throws -> String {
      let copy = file.folder.path("Copy \(UInt64.random(in: 0...UInt64.max)).sqlite")
      let reader = try Store.open(LocalPath(path), .reading)
      try reader.copyForDryRun(to: LocalPath(copy))
      try reader.close()
      return copy
    }

    private func delete(_ request: BatchDelete, in path: String) throws -> Bool {
      let store = try Store.open(LocalPath(path), .writing)
      defer { try? store.close() }
      do {
        let plan = try request.plan(in: graph.layout, storeUUID: store.metadata.uuid)
        _ = try store.delete(plan, in: graph.layout)
        return true
      } catch is DeletionRefusal {
        return false
      }
    }

    func outcome(on path: String) throws -> Result {
      let copy = try copy(of: path)
      guard try delete(request, in: copy) else { return .refused }
      return .content(try PlainDatabase(copy).content())
    }

    /// Returns the path of a copy with fewer rows; nil if the deletion of these rows is refused.
    func smallerStore() throws -> String? {
      let copy = try copy(of: file.path)
      return try delete(other, in: copy) ? copy : nil
    }

    /// Returns the SQL of the deletion; nil if the deletion is refused.
    func script(from path: String) throws -> SQLScript? {
      let store = try Store.open(LocalPath(path), .reading)
      defer { try? store.close() }
      do {
        let plan = try request.plan(in: graph.layout, storeUUID: store.metadata.uuid)
        return try store.script(of: plan, in: graph.layout)
      } catch is DeletionRefusal {
        return nil
      }
    }

    /// Runs a script and returns the store's contents. A transaction that stops doesn't change them.
    func run(_ script: SQLScript) throws -> Result {
      let copy = try copy(of: file.path)
      let database = try PlainDatabase(copy)
      do {
        try database.execute(script.text)
      } catch is PlainDatabase.SQLiteError {
        try database.execute("ROLLBACK")
      }
      try database.close()
      return .content(try PlainDatabase(copy).content())
    }
  }
}
