package import SQLiteAccess
public import StoreDiagnostics
package import StoreLayout

/// A description of a store from its file alone: size, journal, entities with their numbers of rows, history and
/// metadata. Only `modelVersion` and `configuration` require a model.
///
///     let description = try await store.describe()
///     for entity in description.entities { print(entity.name, entity.rowCount) }
public struct StoreDescription: Hashable, Sendable {
  package var file: DatabaseFile
  /// The metadata; nil if `Z_METADATA` is empty.
  package var metadata: StoreMetadata?
  /// The name of the model version that wrote the store. `nil` if it isn't one of the given models.
  public internal(set) var modelVersion: String?
  /// The name of the model's configuration, if the store contains only the entities of one configuration.
  public internal(set) var configuration: String?
  /// The pages of the database file.
  public internal(set) var pages: Pages
  /// The entities without the entities of the history, sorted by number.
  public internal(set) var entities: [EntityFacts]
  /// The join tables of many-to-many relationships, sorted by name.
  public internal(set) var joinTables: [TableFacts]
  /// All other tables, except Core Data's and SQLite's own tables.
  public internal(set) var otherTables: [TableFacts]
  /// The names of all triggers.
  public internal(set) var triggers: [String]
  /// The number of triggers that update derived attributes.
  public internal(set) var derivationTriggerCount: Int
  /// The triggers that Core Data didn't create, as `name on TABLE`.
  public internal(set) var foreignTriggers: [String]
  /// The number of indexes.
  public internal(set) var indexCount: Int64
  /// The row counts of the persistent history. `nil` if the store doesn't have one.
  public internal(set) var history: HistoryFacts?
  /// The size in bytes of the model that the store contains. It is `nil` if the store has no table for a model, and 0
  /// if the table is empty.
  public internal(set) var modelCacheBytes: Int64?
  /// The folder `.NAME_SUPPORT` next to the store, with large values in `_EXTERNAL_DATA`. `nil` if it doesn't exist.
  public internal(set) var externalFolder: LocalPath?
  /// Unusual properties of the store that aren't damage.
  public internal(set) var remarks: [Remark]
  /// The findings of `verify` without a model, except SQLite's own check of the file.
  public internal(set) var findings: [StoreFinding]

  /// The properties of the database file's pages.
  public struct Pages: Hashable, Sendable {
    /// The size of a page in bytes.
    public internal(set) var size: Int64
    /// The number of pages.
    public internal(set) var count: Int64
    /// The number of unused pages, which `storetool compact` removes.
    public internal(set) var freeCount: Int64
    /// The mode of auto-vacuum: 0 (none), 1 (full) or 2 (incremental).
    public internal(set) var autoVacuum: Int64
    /// The encoding of texts, such as `UTF-8`.
    public internal(set) var encoding: String
  }

  /// An entity of a store.
  public struct EntityFacts: Hashable, Sendable {
    /// The entity's number (`Z_ENT`).
    public internal(set) var number: Int64
    /// The name of the entity.
    public internal(set) var name: String
    /// The number of the parent entity, which is 0 for a root entity.
    public internal(set) var parentNumber: Int64
    /// The table of the root entity. `nil` if it is missing or lacks a key column.
    public internal(set) var table: String?
    /// The number of rows of this entity, without sub-entities.
    public internal(set) var rowCount: Int64
    /// `Z_MAX`: for a root entity, the highest key that was assigned in its table; 0 for a sub-entity.
    public internal(set) var highestKey: Int64
    /// The version hash. `nil` if the metadata has no hash for this name.
    public internal(set) var hash: [UInt8]?
  }

  /// A table of a store.
  public struct TableFacts: Hashable, Sendable {
    /// The name of the table.
    public internal(set) var name: String
    /// The number of rows.
    public internal(set) var rowCount: Int64
  }

  /// The numbers of rows in the tables of the persistent history.
  public struct HistoryFacts: Hashable, Sendable {
    /// The number of changes.
    public internal(set) var changes: Int64
    /// The number of transactions.
    public internal(set) var transactions: Int64
    /// The number of names of authors, contexts, bundles and processes.
    public internal(set) var strings: Int64
  }
}

extension StoreDescription {
  /// Remarks about the file: its `-wal`, pages, triggers and history.
  var fileRemarks: [Remark] {
    var remarks: [Remark] = []
    if let bytes = file.walSize, bytes > 0 { remarks.append(.uncheckpointed(bytes: bytes)) }
    // Older versions of Core Data on macOS used pages of 2,048 bytes.
    let isOld = (metadata?.frameworkVersion ?? 0) < 416
    if pages.size != 4096, !isOld { remarks.append(.unusualPageSize(pages.size)) }
    if pages.autoVacuum != 2 { remarks.append(.unusualVacuum(pages.autoVacuum)) }
    if derivationTriggerCount > 0 {
      remarks.append(.derivedAttributeTriggers(derivationTriggerCount))
    }
    if !foreignTriggers.isEmpty { remarks.append(.foreignTriggers(foreignTriggers)) }
    if let history, history.transactions > 0 {
      remarks.append(.history(transactions: history.transactions))
    }
    return remarks
  }

  var metadataRemarks: [Remark] {
    guard let metadata, !metadata.hashes.isEmpty else { return [] }
    return entities.filter { $0.hash == nil }.map { .renamedEntity($0.name, number: $0.number) }
  }
}
