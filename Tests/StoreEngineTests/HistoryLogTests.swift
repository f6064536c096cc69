import StoreDiagnostics
import StoreTestSupport
import Testing
import TestSupport

@testable import SQLiteAccess
@testable import StoreCore
@testable import StoreLayout

/// `storetool history`: reading and pruning a store's history.
@Suite struct HistoryLogTests {
  /// Creates three transactions: two insertions, one insertion, and an update of two rows. Their dates are 1, 2 and 3
  /// seconds.
  private func graph(_ era: HistoryEra) throws -> GraphStore {
    let made = try GraphStore()
    try made.store.close()
    try made.file.keepHistory(era)
    let graph = try GraphStore(reopening: made)
    try graph.importing(#"{"$entity": "Tag"} {"$entity": "Thing"}"#)
    try graph.importing(#"{"$entity": "Tag"}"#)
    try graph.store.write { connection in
      let changes = try ChangeRecorder(in: graph.layout, on: connection)
      try changes.recordUpdates(of: "SELECT Z_ENT, Z_PK FROM ZTAG", properties: ["key"])
      try changes.finish()
      try connection.run("UPDATE ATRANSACTION SET ZTIMESTAMP = Z_PK")
    }
    return graph
  }

  private func read<T>(_ graph: GraphStore, _ body: (HistoryLog) throws -> T) throws -> T {
    try graph.store.read { try body(HistoryLog($0)) }
  }

  @Test(arguments: HistoryEra.allCases) func transactionsAreCountedAndNamed(
    _ era: HistoryEra
  ) throws {
    let graph = try graph(era)
    let all = try read(graph) { try $0.transactions(since: nil) }
    #expect(all.map(\.number) == [1, 2, 3])
    #expect(all.map(\.origin.timestamp) == [1, 2, 3])
    #expect(all.map { $0.counts[.insert] } == [2, 1, 0])
    #expect(all.map { $0.counts[.update] } == [0, 0, 2])
    #expect(Set(all.map(\.origin.author)) == ["storetool"])
    #expect(Set(all.map(\.origin.context)) == [nil])
    let later = try read(graph) { try $0.transactions(since: .transaction(1)) }
    #expect(later.map(\.number) == [2, 3])
    let dated = try read(graph) { try $0.transactions(since: .date(3)) }
    #expect(dated.map(\.number) == [3])
  }

  @Test func changesCarryTheirMask() throws {
    let graph = try graph(.strings)
    var changes: [HistoryLog.Change] = []
    try read(graph) { log in try log.forEachChange(since: .transaction(1)) { changes.append($0) } }
    #expect(changes.map(\.kind) == [.insert, .update, .update])
    #expect(changes.map(\.key) == [2, 1, 2])
    #expect(changes.map { $0.mask == nil } == [true, false, false])
    let statistics = try read(graph) { try $0.statistics(since: nil) }
    #expect(
      statistics.map { "\($0.entity) \($0.counts[.insert] ?? 0) \($0.counts[.update] ?? 0)" } == [
        "5 2 2", "6 1 0",
      ])
  }

  @Test func pruningKeepsTheRestAndTheCounters() throws {
    let graph = try graph(.strings)
    let planned = try read(graph) { try $0.countBefore(.transaction(3)) }
    #expect(planned == HistoryLog.Pruned(transactions: 2, changes: 3))
    let done = try graph.store.write { try HistoryLog($0).prune(before: .transaction(3)) }
    #expect(done == planned)
    #expect(try read(graph) { try $0.transactions(since: nil) }.map(\.number) == [3])
    #expect(try graph.rows("SELECT count(*) FROM ACHANGE") == ["2"])
    #expect(
      try graph.rows("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT > 16000") == ["5", "3", "1"])
    #expect(try graph.store.write { try HistoryLog($0).prune(before: .date(3)) }.changes == 0)
  }

  @Test func aStoreWithoutHistorySaysSo() throws {
    let graph = try GraphStore()
    #expect(throws: StoreLayoutError.noHistory(path: LocalPath(graph.file.path))) {
      try read(graph) { try $0.transactions(since: nil) }
    }
  }

  @Test func boundsAreNumbersOrDates() {
    #expect(HistoryBound("1042") == .transaction(1042))
    #expect(HistoryBound("2001-01-01T00:00:05Z") == .date(5))
    #expect(HistoryBound("yesterday") == nil)
  }
}
