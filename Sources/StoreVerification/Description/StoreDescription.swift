package import StoreDiagnostics
package import SQLiteAccess
package import StoreLayout

/// All that a store file tells about itself, without a model.
package struct StoreDescription: Hashable, Sendable {
  package var file: DatabaseFile
  package var pages: Pages
  /// Nil when `Z_METADATA` is empty.
  package var metadata: StoreMetadata?
  /// By number. History's own entities are not among them.
  package var entities: [EntityFacts]
  package var joinTables: [TableFacts]
  /// Tables that are none of Core Data's kinds.
  package var otherTables: [TableFacts]
  package var triggers: [String]
  /// How many of them keep derived attributes up to date.
  package var derivationTriggerCount: Int
  /// Those that are none of Core Data's, each as `name on TABLE`.
  package var foreignTriggers: [String]
  package var indexCount: Int64
  /// Nil when the store has no history tables.
  package var history: HistoryFacts?
  /// The size of the model that the store carries; nil without the table `Z_MODELCACHE`, 0 without
  /// a row in it.
  package var modelCacheBytes: Int64?
  /// The folder with large values: `.NAME_SUPPORT` beside the store; nil when there is none.
  package var externalFolder: FilePath?
  /// What a reader may want to know, a sentence each; empty for most stores.
  package var remarks: [Remark]
  /// What `verify` finds without a model, but for SQLite's own check of the file.
  package var findings: [Finding]

  /// From the file's header.
  package struct Pages: Hashable, Sendable {
    /// In bytes.
    package var size: Int64
    package var count: Int64
    package var freeCount: Int64
    /// 0 none, 1 full, 2 incremental.
    package var autoVacuum: Int64
    package var encoding: String
  }

  package struct EntityFacts: Hashable, Sendable {
    /// `Z_ENT`
    package var number: Int64
    package var name: String
    package var parentNumber: Int64
    /// The root's table; nil when the store lacks it.
    package var table: String?
    /// Rows of exactly this entity, sub-entities not included.
    package var rowCount: Int64
    /// `Z_MAX`
    package var highestKey: Int64
    /// The version hash; nil when the metadata has none under this name.
    package var hash: [UInt8]?
  }

  package struct TableFacts: Hashable, Sendable {
    package var name: String
    package var rowCount: Int64
  }

  package struct HistoryFacts: Hashable, Sendable {
    package var changes: Int64
    package var transactions: Int64
    package var strings: Int64
  }
}
