import SQLiteAccess
public import StoreEngine
import StoreLayout

extension StoreDescription {
  /// The path of the store.
  public var path: String { "\(file.path)" }
  /// The size of the store's file in bytes.
  public var bytes: Int64 { file.size }
  /// The size of the `-wal` file in bytes. `nil` if it doesn't exist.
  public var walBytes: Int64? { file.walSize }
  /// How SQLite makes transactions atomic.
  public var journal: NewStoreSettings.Journal { file.journal == .wal ? .wal : .rollback }
  /// The UUID of the store, which is a part of each object ID. `nil` if the store has no metadata.
  public var uuid: String? { metadata?.uuid }
  /// The identifiers of the model version. There are several for merged models.
  public var modelIdentifiers: [String] { metadata?.modelIdentifiers ?? [] }
  /// The version of Core Data that last wrote the store, such as 1344. `nil` if it is unknown.
  public var frameworkVersion: Int64? { metadata?.frameworkVersion }
  /// The number of rows of all entities.
  public var rowCount: Int64 { entities.reduce(0) { $0 + $1.rowCount } }
  /// The app's own entries in the metadata.
  public var appMetadata: [String: MetadataValue] {
    (metadata?.applicationEntries ?? [:]).mapValues { MetadataValue($0) }
  }
}
