package import SQLiteAccess
package import StoreDiagnostics
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

extension StoreDescription {
  /// What is not as Core Data leaves a new store, apart from the rows.
  var fileRemarks: [Remark] {
    var remarks: [Remark] = []
    if let bytes = file.walSize, bytes > 0 { remarks.append(.uncheckpointed(bytes: bytes)) }
    // Older frameworks took 2048 on macOS.
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

/// Something unusual about a store that is not damage: what is wrong is a `Finding`.
package enum Remark: Hashable, Sendable {
  /// An entity whose name no version hash has: renamed in place.
  case renamedEntity(String, number: Int64)
  /// Rows that are not in the main file yet.
  case uncheckpointed(bytes: Int64)
  case derivedAttributeTriggers(Int)
  /// An app's own, each as `name on TABLE`.
  case foreignTriggers([String])
  case history(transactions: Int64)
  /// Something else than what Core Data writes.
  case unusualPageSize(Int64)
  case unusualVacuum(Int64)

  package var sentence: String {
    switch self {
    case .renamedEntity(let name, let number):
      "entity \(number) is called '\(name)' in Z_PRIMARYKEY, but no version hash has that name:"
        + " it was probably renamed in place"
    case .uncheckpointed(let bytes):
      "\(bytes) bytes of changes are still in the -wal file; copy it along with the store"
    case .derivedAttributeTriggers(let count):
      count == 1
        ? "a trigger keeps a derived attribute up to date"
        : "\(count) triggers keep derived attributes up to date"
    case .foreignTriggers(let names):
      "it has triggers that are none of Core Data's, and storetool writes nothing to their tables: "
        + names.joined(separator: ", ")
    case .history(let transactions):
      "it keeps a persistent history of \(transactions) \("transaction".plural(transactions))"
    case .unusualPageSize(let size): "its page size is \(size), not 4096"
    case .unusualVacuum(let mode): "its auto_vacuum is \(mode), not 2 (incremental)"
    }
  }
}
