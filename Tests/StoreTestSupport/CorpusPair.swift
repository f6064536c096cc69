import Foundation
package import StoreModel
import StoreModelReader
import Testing
package import TestSupport

/// A store of the corpus, and the model that wrote it.
package struct CorpusPair: CustomTestStringConvertible, Sendable {
  package let store: String
  package let model: String

  package var testDescription: String { "\(store) ~ \(model)" }

  package static let all: [CorpusPair] = {
    guard Corpus.isPresent, let rows = try? Corpus.table("store-models.tsv") else { return [] }
    return rows.compactMap { row in
      guard let store = row["store"], let model = row["model"] else { return nil }
      return CorpusPair(store: store, model: model)
    }
  }()

  package var storePath: String { Corpus.store(store).path }

  /// Copies the store with the files beside it that belong to its journal.
  ///
  /// - Returns: the copy's path.
  package func copyStore(into folder: TemporaryFolder) throws -> String {
    let name = URL(fileURLWithPath: storePath).lastPathComponent
    for suffix in ["", "-wal", "-shm"]
    where FileManager.default.fileExists(atPath: storePath + suffix) {
      try FileManager.default.copyItem(
        atPath: storePath + suffix, toPath: folder.path(name + suffix))
    }
    return folder.path(name)
  }

  package func readModel() throws -> DataModel {
    try (Self.models[model] ?? Self.read(model)).get()
  }

  /// Each model is read once for all tests.
  private static let models: [String: Result<DataModel, any Error>] = Dictionary(
    uniqueKeysWithValues: Set(all.map(\.model)).map { ($0, read($0)) })

  private static func read(_ path: String) -> Result<DataModel, any Error> {
    Result {
      let file = Corpus.models.appendingPathComponent(path)
      let source = XMLSource(file: path, bytes: try Array(Data(contentsOf: file)))
      return try ModelReading.read(source, name: "M").model
    }
  }
}
