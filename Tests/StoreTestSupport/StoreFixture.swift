import StoreDiagnostics
package import Foundation
package import PlainSQLite
import SampleData
import StoreCore
import StoreLayout
package import StoreModel
package import TestSupport

/// Stores that a test creates, with their folder.
package struct StoreFixture {
  package let folder: TemporaryFolder
  package let path: String

  /// An empty store of the model, in its own folder.
  package init(
    _ model: Model = SampleModels.todo, name: String = "Todo.sqlite"
  ) throws {
    folder = try TemporaryFolder()
    path = folder.path(name)
    try Store.create(
      at: FilePath(path), layout: StoreLayout(model: model),
      metadata: StoreMetadata(for: SampleModels.todoFingerprint))
  }

  /// Runs SQL as another program would.
  package func edit(_ sql: String) throws {
    try PlainDatabase(path).execute(sql)
  }

  /// Another program with the store open, with the `-wal` and the `-shm` of its unfinished work.
  package func writer(_ sql: String) throws -> PlainDatabase {
    let database = try PlainDatabase(path)
    try database.execute("PRAGMA wal_autocheckpoint = 0; \(sql)")
    return database
  }

  /// Every file of the folder with its bytes, to show that nothing changed.
  package func contents() throws -> [String: Data] {
    try Self.contents(of: folder.url)
  }

  package static func contents(of folder: URL) throws -> [String: Data] {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    return try Dictionary(
      uniqueKeysWithValues: names.map {
        ($0, try Data(contentsOf: folder.appendingPathComponent($0)))
      })
  }
}
