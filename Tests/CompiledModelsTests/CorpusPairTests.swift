import Foundation
import StoreModelReader
import TestSupport
import Testing

@testable import CompiledModels

@Suite(.enabled(if: Corpus.isPresent, "\(Corpus.absence)"))
struct CorpusPairTests {
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
        print("PAIR \(store) \(difference)")
      }
    }
    #expect(kinds == [:])
    #expect(pairs == 1)
  }
}
