import Foundation
import SeededRandom
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

/// Real stores are exported as NDJSON and imported into an empty store of their model.
@Suite(.enabled(if: Corpus.isPresent, "\(Corpus.absence)"))
struct CorpusRoundTripTests {
  @Test(arguments: Soak.sample(of: CorpusPair.all, every: 4, from: 1)) func exportedRowsComeBack(
    _ pair: CorpusPair
  ) throws {
    let model = try pair.readModel()
    let folder = try TemporaryFolder()
    let path = try pair.copyStore(into: folder)
    let real = try Store.open(LocalPath(path), .reading)
    let layout = try real.layout(for: model)
    let text = try exported(real, layout)
    let made = try GraphStore(model)
    if let reason = Self.damaged[pair.store] {
      #expect(throws: (any Error).self, "\(reason)") { try made.importing(text, strict: true) }
      return
    }
    try made.importing(text, strict: true)
    let before = try StoreContent(of: real, layout)
    let after = try StoreContent(of: made.store, made.layout)
    if let difference = before.difference(to: after) { Issue.record("\(difference.prefix(4000))") }
  }

  /// Returns the references to missing rows.
  static let damaged = [
    "artsy__energy/ArtsyPartner_1.3.sqlite": "Artwork.artist leads to no row",
    "artsy__energy/ArtsyPartner_2.0.sqlite": "Artwork.artist has the key 0",
    "wireapp__wire-ios-data-model/store1-27.wiredatabase": "Connection.to leads to no row",
  ]

  /// The large values of these stores are missing, so other values replace them.
  private func exported(_ store: Store, _ layout: StoreLayout) throws -> String {
    let context = RowContext(
      layout: layout, store: store.metadata.uuid,
      externalFolder: ExternalFolder(path: store.externalDataFolder))
    while true {
      let sink = ByteCollector()
      do {
        try store.read {
          try Export(of: [], in: layout, as: .ndjson).write(from: $0, context, to: sink)
        }
        return String(decoding: sink.bytes, as: UTF8.self)
      } catch let missing as ExternalValueMissing {
        let file = URL(fileURLWithPath: "\(store.externalDataFolder)").appendingPathComponent(
          missing.name)
        try FileManager.default.createDirectory(
          at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(missing.name.utf8).write(to: file)
      }
    }
  }
}
