import Foundation
import PlainSQLite
import StoreModel
import TestSupport

@testable import StoreLayout
@testable import StoreEngine

/// Stores made for a test, and what lies in their folder.
struct StoreFixture {
  let folder: TemporaryFolder
  let path: String

  /// An empty store of the model, in a folder of its own.
  init(
    _ model: Model = SampleModels.todo, name: String = "Todo.sqlite"
  ) throws {
    folder = try TemporaryFolder()
    path = folder.path(name)
    try Store.create(
      at: path, layout: StoreLayout(model: model), metadata: StoreMetadata(for: Self.fingerprint))
  }

  static let fingerprint = ModelFingerprint(
    identifiers: ["v1"],
    hashes: [
      "Item": [UInt8](repeating: 1, count: 32), "List": [UInt8](repeating: 2, count: 32),
    ],
    digest: "digest", checksum: "checksum")

  /// Runs SQL as another program would.
  func edit(_ sql: String) throws {
    try PlainDatabase(path).execute(sql)
  }

  /// Another program with the store open, with the `-wal` and the `-shm` of its unfinished work.
  func writer(_ sql: String) throws -> PlainDatabase {
    let database = try PlainDatabase(path)
    try database.execute("PRAGMA wal_autocheckpoint = 0; \(sql)")
    return database
  }

  /// Every file of the folder with its bytes, to show that nothing changed.
  func contents() throws -> [String: Data] {
    try Self.contents(of: folder.url)
  }

  static func contents(of folder: URL) throws -> [String: Data] {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    return try Dictionary(
      uniqueKeysWithValues: names.map {
        ($0, try Data(contentsOf: folder.appendingPathComponent($0)))
      })
  }
}
