import StoreLayout
import StoreModel
import TestSupport
import Testing

@testable import ModelArchives

@Suite(.enabled(if: Corpus.isPresent, "\(Corpus.absence)"))
struct CorpusHashTests {
  /// Equal hashes prove that names, types, options, relationships and constraints are read correctly.
  @Test(arguments: CorpusArchive.all)
  func everyEntityHasTheHashThatItsStoreKnows(_ archive: CorpusArchive) throws {
    let model = try CompiledModel.decode(archive.bytes, name: "Model").model
    #expect(!model.entities.isEmpty)
    let hashes = VersionHash.hashes(of: model)
    // A store of one configuration only has the entities of that configuration.
    for (name, hash) in archive.hashes {
      #expect(hashes[name] == hash, "\(name)")
    }
  }

  @Test func allArchivesAreThere() {
    #expect(CorpusArchive.all.count == 108)
  }
}
