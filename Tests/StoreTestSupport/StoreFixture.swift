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
    _ model: DataModel = SampleModels.todo, name: String = "Todo.sqlite"
  ) throws {
    folder = try TemporaryFolder()
    path = folder.path(name)
    try Store.create(
      at: LocalPath(path), layout: StoreLayout(model: model),
      metadata: StoreMetadata(for: SampleModels.todoFingerprint))
  }

  /// Runs SQL as another program.
  package func edit(_ sql: String) throws {
    try PlainDatabase(path).execute(sql)
  }

  /// Runs another program that has the store open, with a `-wal` and a `-shm` of unfinished work.
  package func writer(_ sql: String) throws -> PlainDatabase {
    let database = try PlainDatabase(path)
    try database.execute("PRAGMA wal_autocheckpoint = 0; \(sql)")
    return database
  }

  /// Returns every file of the folder with its bytes, to prove that nothing has changed.
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
