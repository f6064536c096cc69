import Foundation
import StoreLayout
import StoreModel
import StoreModelReader
import TestSupport
import Testing

/// The hashes in real stores whose models are known.
@Suite(.enabled(if: Corpus.isPresent, "\(Corpus.absence)"))
struct KnownAnswerTests {
  @Test func everyEntityHashOfTheCorpusMatches() throws {
    var models: [String: [String: [UInt8]]] = [:]
    var matches = 0
    let rows = try Corpus.table("version-hashes.tsv")
    for row in rows {
      let path = try #require(row["model"])
      let entity = try #require(row["entity"])
      if models[path] == nil {
        let file = Corpus.models.appendingPathComponent(path)
        let source = XMLSource(file: path, bytes: try Array(Data(contentsOf: file)))
        models[path] = VersionHash.hashes(of: try ModelReading.read(source, name: "M").model)
      }
      let hash = models[path]?[entity].map { Data($0).base64EncodedString() }
      #expect(hash == row["hash"], "\(entity) of \(path)")
      matches += hash == row["hash"] ? 1 : 0
    }
    #expect(matches == rows.count)
    #expect(rows.count >= 1600)
  }
}
