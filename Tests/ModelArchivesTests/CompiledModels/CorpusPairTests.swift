import Foundation
import StoreModelReader
import TestSupport
import Testing

@testable import ModelArchives

@Suite(.enabled(if: Corpus.isPresent, "\(Corpus.absence)"))
struct CorpusPairTests {
  /// The differences between an archive and an XML with equal hashes, with their reasons. Hashes, types, options,
  /// relationships and templates never differ.
  static let reasons = [
    "entity class": "stores that were opened without the app's classes carry none",
    "properties": "transient ones, which XML of another commit has",
    "version identifiers": "XML of another commit",
    "value transformer": "XML of another commit: 'Secure' came with iOS 12",
    "attribute class": "XML of another commit",
    "renaming identifier": "XML of another commit",
    "indexes": "an older framework knows an index over several properties without its name",
  ]

  @Test func archivesSayWhatTheirXMLSays() throws {
    let archives = Dictionary(
      CorpusArchive.all.map { ($0.path, $0.bytes) }, uniquingKeysWith: { first, _ in first })
    var (pairs, kinds) = (0, [String: Int]())
    for row in try Corpus.table("store-models.tsv") {
      guard let store = row["store"], let path = row["model"], let bytes = archives[store] else {
        continue
      }
      let url = Corpus.models.appendingPathComponent(path)
      let source = XMLSource(file: path, bytes: Array(try Data(contentsOf: url)))
      let written = try ModelReading.read(source, name: "Model").model
      let archived = try CompiledModel.decode(bytes, name: "Model").model
      pairs += 1
      for difference in ModelDifferences(archived: archived, written: written).found {
        kinds[difference.kind, default: 0] += 1
        #expect(Self.reasons[difference.kind] != nil, "\(store): \(difference)")
      }
    }
    #expect(Set(kinds.keys) == Set(Self.reasons.keys))
    #expect(pairs == 124)
  }
}
