import StoreDiagnostics
import Foundation
import StoreLayout
import SQLiteAccess
import StoreCore
import StoreModel
import StoreTestSupport
import Testing
import TestSupport

/// For every real store, the inferred model covers all of the tables. If the real model is known, the inferred model
/// reads the same values.
@Suite(.enabled(if: Corpus.isPresent, "\(Corpus.absence)"))
struct CorpusInferenceTests {
  @Test(arguments: Corpus.storePaths)
  func theLayoutIsTheStores(_ path: String) throws {
    let opened = try OpenedCorpusStore(path)
    #expect(opened.inferred.unexplained.map(\.text) == [])
    #expect(opened.inferred.fault == nil)
    let layout = try opened.store.readableLayout(for: opened.inferred.model)
    let schema = try opened.store.read { try $0.schema() }
    let gaps = layout.gaps(in: schema, framework: opened.store.metadata.frameworkVersion)
    // The triggers of the R-tree are missing from one store.
    #expect(gaps.filter { if case .rTree = $0 { false } else { true } }.map(\.name) == [])

    let rows = schema.primaryKeys.filter { $0.number < HistoryEntity.first }
    #expect(layout.entities.map(\.number) == rows.map(\.number))
    #expect(layout.entities.map(\.parentNumber) == rows.map(\.parentNumber))
    let rTrees = schema.database.rTreeTableNames
    let tables = schema.database.tables.filter {
      Self.isOfModel($0.key) && !rTrees.contains($0.key)
    }
    let places =
      layout.tables.map { ($0.name, $0.columns) }
      + layout.joinTables.map { ($0.name, $0.columns) }
    #expect(Set(tables.keys) == Set(places.map(\.0)))
    for (table, columns) in places {
      #expect(Set(tables[table]?.columnNames ?? []) == Set(columns.map(\.name)), "\(table)")
    }
  }

  private static func isOfModel(_ table: String) -> Bool {
    !(FixedTable.all + HistoryTable.all).contains(table) && !table.hasPrefix("sqlite_")
  }

  @Test func theRealModelsReadTheSame() throws {
    var score = InferenceScore()
    var seen: Set<String> = []
    for pair in CorpusPair.all where seen.insert(pair.store).inserted {
      let opened = try OpenedCorpusStore(pair.store)
      let comparison = ModelComparison(
        real: try opened.store.layout(for: pair.readModel()),
        inferred: try opened.store.layout(for: opened.inferred.model))
      try opened.store.read { try comparison.compare(on: $0, counting: &score, in: pair.store) }
    }
    print(score.text)
    #expect(seen.count >= 60)
    #expect(score.lostAttributes == [])
    #expect(score.foundShare >= 0.98)
  }
}

/// A copy of a real store, and the model that is inferred from its tables.
struct OpenedCorpusStore {
  private let folder: TemporaryFolder
  let store: Store
  let inferred: InferredModel

  init(_ path: String) throws {
    folder = try TemporaryFolder()
    let source = Corpus.store(path)
    let copy = folder.path(source.lastPathComponent)
    for suffix in ["", "-wal", "-shm"]
    where FileManager.default.fileExists(atPath: source.path + suffix) {
      try FileManager.default.copyItem(atPath: source.path + suffix, toPath: copy + suffix)
    }
    store = try Store.open(LocalPath(copy), .reading)
    inferred = try store.read { try $0.inferredModel(named: "Inferred") }
  }
}
