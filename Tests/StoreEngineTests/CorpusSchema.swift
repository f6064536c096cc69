import StoreSQL
import SQLiteAccess
import StoreLayout
import Foundation
import StoreModel
import StoreModelReader
import TestSupport
import Testing

/// A store of the corpus beside the model that wrote it.
struct CorpusPair: CustomTestStringConvertible, Sendable {
  let store: String
  let model: String

  var testDescription: String { "\(store) ~ \(model)" }

  static let all: [CorpusPair] = {
    guard Corpus.isPresent, let rows = try? Corpus.table("store-models.tsv") else { return [] }
    return rows.compactMap { row in
      guard let store = row["store"], let model = row["model"] else { return nil }
      return CorpusPair(store: store, model: model)
    }
  }()

  var storePath: String { Corpus.stores.appendingPathComponent(store).path }

  /// Copies the store with the files beside it that belong to its journal.
  ///
  /// - Returns: the copy's path.
  func copyStore(into folder: TemporaryFolder) throws -> String {
    let name = URL(fileURLWithPath: storePath).lastPathComponent
    for suffix in ["", "-wal", "-shm"]
    where FileManager.default.fileExists(atPath: storePath + suffix) {
      try FileManager.default.copyItem(
        atPath: storePath + suffix, toPath: folder.path(name + suffix))
    }
    return folder.path(name)
  }

  func readModel() throws -> Model {
    try #require(Self.models[model]).get()
  }

  /// Each model is read once for all tests.
  private static let models: [String: Result<Model, any Error>] = Dictionary(
    uniqueKeysWithValues: Set(all.map(\.model)).map { path in
      (
        path,
        Result {
          let file = Corpus.models.appendingPathComponent(path)
          let source = XMLSource(file: path, bytes: try Array(Data(contentsOf: file)))
          return try ModelReading.read(source, name: "M").model
        }
      )
    })
}

/// What the catalogue of a real store says, or what ours would say, in comparable form.
struct Schema {
  /// `NAME TYPE` by table, in the order of the statement.
  var columns: [String: [String]] = [:]
  var primaryKeys: [String: [String]] = [:]
  /// The text of `CREATE INDEX`.
  var indexes: Set<String> = []
  var triggers: Set<String> = []
  /// `number name super`
  var numbers: Set<String> = []
  /// Nothing was ever dropped from the catalogue: the store was never migrated in place.
  var isOriginal = true
  var frameworkVersion: Int64 = 0

  init(of connection: Connection, metadata: StoreMetadata) throws {
    frameworkVersion = metadata.frameworkVersion ?? 0
    let numbers = try connection.rows("SELECT rowid FROM sqlite_master ORDER BY rowid")
    isOriginal = numbers == (0..<numbers.count).map { [.integer(Int64($0 + 1))] }
    let snapshot = try SchemaSnapshot(of: connection)
    columns = snapshot.tables.mapValues { $0.map { "\($0.name) \($0.declaredType)" } }
    primaryKeys = snapshot.tables.mapValues { columns in
      columns.filter { $0.keyPlace > 0 }.sorted { $0.keyPlace < $1.keyPlace }.map(\.name)
    }
    indexes = Set(snapshot.indexes.values)
    triggers = Set(snapshot.triggers.values)
    self.numbers = Set(
      try connection.primaryKeys().filter { $0.number < HistoryEntity.first }
        .map { "\($0.number) \($0.name) \($0.parentNumber)" })
  }
}
