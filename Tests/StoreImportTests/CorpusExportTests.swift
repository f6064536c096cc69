import StoreDiagnostics
import StoreModel
import StoreTestSupport
import Testing
import TestSupport

@testable import RecordFormats
@testable import SQLiteAccess
@testable import StoreCore
@testable import StoreImport
@testable import StoreLayout

/// For twenty of the 68 stores with a model in the corpus, the files of large values are missing.
@Suite(.enabled(if: Corpus.isPresent, "\(Corpus.absence)"))
struct CorpusExportTests {
  @Test func anExportGoesOnWithoutMissingFiles() throws {
    var incomplete = 0
    var done: Set<String> = []
    for pair in CorpusPair.all where done.insert(pair.store).inserted {
      let store = try Store.open(LocalPath(pair.storePath), .reading)
      let layout = try store.layout(for: pair.readModel())
      let unread = UnreadValues()
      let rows = try lines(store, layout, counting: unread)
      let count = try layout.tables.map { table in
        try store.read { try $0.integer("SELECT count(*) FROM \(name: table.name)") }
      }.reduce(0, +)
      // One row of each of two stores has no entity.
      #expect(rows <= count && rows >= count - 1, "\(pair.store)")
      guard unread.counts.missing > 0 else { continue }
      incomplete += 1
      #expect(throws: ExternalValueMissing.self, "\(pair.store)") {
        try lines(store, layout, counting: nil)
      }
    }
    #expect(incomplete == 20)
  }

  @discardableResult
  private func lines(
    _ store: Store, _ layout: StoreLayout, counting unread: UnreadValues?
  ) throws -> Int64 {
    let context = RowContext(
      layout: layout, store: store.metadata.uuid,
      externalFolder: ExternalFolder(path: store.externalDataFolder, counting: unread))
    let sink = ByteCollector()
    try store.read {
      try Export(of: [], in: layout, as: .ndjson).write(from: $0, context, to: sink)
    }
    return Int64(sink.bytes.count { $0 == UInt8(ascii: "\n") })
  }
}
