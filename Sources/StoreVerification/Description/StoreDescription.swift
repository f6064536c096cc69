package import SQLiteAccess
package import StoreDiagnostics
package import StoreLayout

/// A description of a store from its file alone, without a model.
package struct StoreDescription: Hashable, Sendable {
  package var file: DatabaseFile
  package var pages: Pages
  /// The metadata; nil if `Z_METADATA` is empty.
  package var metadata: StoreMetadata?
  /// The entities in `Z_PRIMARYKEY` without the entities of the history, sorted by number.
  package var entities: [EntityFacts]
  package var joinTables: [TableFacts]
  /// All other tables, except Core Data's and SQLite's own tables.
  package var otherTables: [TableFacts]
  package var triggers: [String]
  /// The number of triggers that update derived attributes.
  package var derivationTriggerCount: Int
  /// Triggers that Core Data didn't create, as `name on TABLE`.
  package var foreignTriggers: [String]
  package var indexCount: Int64
  /// The row counts of the history; nil if the store has no table of changes.
  package var history: HistoryFacts?
  /// The size in bytes of the model that the store contains. It is nil without the table `Z_MODELCACHE`, and 0 if the
  /// table is empty.
  package var modelCacheBytes: Int64?
  /// The folder `.NAME_SUPPORT` next to the store, with large values in `_EXTERNAL_DATA`; nil if it doesn't exist.
  package var externalFolder: LocalPath?
  /// Unusual properties of the store that aren't damage.
  package var remarks: [Remark]
  /// The findings of `verify` without a model, except SQLite's own check of the file.
  package var findings: [Finding]

  /// The properties of the database file's pages.
  package struct Pages: Hashable, Sendable {
    /// The size of a page in bytes.
    package var size: Int64
    package var count: Int64
    package var freeCount: Int64
    /// The mode of auto-vacuum: 0 (none), 1 (full) or 2 (incremental).
    package var autoVacuum: Int64
    package var encoding: String
  }

  package struct EntityFacts: Hashable, Sendable {
    /// The entity's number (`Z_ENT`).
    package var number: Int64
    package var name: String
    package var parentNumber: Int64
    /// The table of the root entity; nil if it is missing or lacks a key column.
    package var table: String?
    /// The number of rows of this entity, without sub-entities.
    package var rowCount: Int64
    /// `Z_MAX`: for a root entity, the highest key that was assigned in its table; 0 for a sub-entity.
    package var highestKey: Int64
    /// The version hash; nil if the metadata has no hash for this name.
    package var hash: [UInt8]?
  }

  package struct TableFacts: Hashable, Sendable {
    package var name: String
    package var rowCount: Int64
  }

  /// The numbers of rows in the tables of the persistent history.
  package struct HistoryFacts: Hashable, Sendable {
    package var changes: Int64
    package var transactions: Int64
    package var strings: Int64
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

/// An unusual property of a store. It isn't damage, which is a `Finding`.
package enum Remark: Hashable, Sendable {
  /// An entity of `Z_PRIMARYKEY` without a version hash. A migration in place has probably renamed it; such a migration
  /// keeps the old name in `Z_PRIMARYKEY`.
  case renamedEntity(String, number: Int64)
  /// The `-wal` isn't empty. Contains its size.
  case uncheckpointed(bytes: Int64)
  case derivedAttributeTriggers(Int)
  /// Triggers that Core Data didn't create, as `name on TABLE`.
  case foreignTriggers([String])
  case history(transactions: Int64)
  /// A page size other than 4,096 bytes.
  case unusualPageSize(Int64)
  case unusualVacuum(Int64)

  package var sentence: String {
    switch self {
    case .renamedEntity(let name, let number):
      "entity \(number) is named '\(name)' in Z_PRIMARYKEY, but the store doesn't have a version hash for this name:"
        + " a migration probably renamed the entity and kept the old name there"
    case .uncheckpointed(let bytes):
      "\(bytes) bytes of changes are still in the -wal file; copy it along with the store"
    case .derivedAttributeTriggers(let count):
      count == 1
        ? "a trigger keeps a derived attribute up to date"
        : "\(count) triggers keep derived attributes up to date"
    case .foreignTriggers(let names):
      "it has triggers that Core Data didn't create, so storetool doesn't write to their tables: "
        + names.joined(separator: ", ")
    case .history(let transactions):
      "it has a persistent history of \(transactions) \("transaction".plural(transactions))"
    case .unusualPageSize(let size): "its page size is \(size), not 4096"
    case .unusualVacuum(let mode): "its auto_vacuum is \(mode), not 2 (incremental)"
    }
  }
}
