import StoreDiagnostics
import SQLiteAccess
import StoreLayout
import StoreCore
import StoreModel
import TestSupport

/// A store that a test creates, in its own folder.
struct MigrationStore {
  let folder: TemporaryFolder
  let path: String
  let model: DataModel

  init(_ model: DataModel, name: String = "Library.sqlite") throws {
    folder = try TemporaryFolder()
    path = folder.path(name)
    self.model = model
    _ = try Store.create(at: LocalPath(path), for: model)
  }

  var layout: StoreLayout { StoreLayout(model: model) }

  /// Runs statements in one transaction.
  func run(_ statements: SQL...) throws {
    let store = try Store.open(LocalPath(path), .writing)
    try store.write { connection in
      for statement in statements { try connection.run(statement) }
    }
    try store.close()
  }

  func rows(_ sql: SQL) throws -> [[SQLiteValue]] {
    try Store.open(LocalPath(path), .reading).read { try $0.rows(sql) }
  }

  func schema() throws -> StoreSchema {
    try Store.open(LocalPath(path), .reading).read { try $0.schema() }
  }

  func metadata() throws -> StoreMetadata { try Store.open(LocalPath(path), .reading).metadata }
}

extension SQLiteValue: ExpressibleByIntegerLiteral,
  ExpressibleByStringLiteral
{
  public init(integerLiteral value: Int64) { self = .integer(value) }
  public init(stringLiteral value: String) { self = .text(value) }
}
