package import StoreLayout

/// Something unusual about a store.
package enum Remark: Hashable, Sendable {
  case noMetadata
  case noPropertyList
  /// Its property list, and why.
  case unreadableMetadata(String)
  /// An entity whose name no version hash has: renamed in place.
  case renamedEntity(String, number: Int64)
  case missing(SchemaGap)
  /// A virtual table, in SQLite's words.
  case unreadableTable(String, words: String)
  /// Rows with a `Z_ENT` that the table's entities do not have.
  case strayRows(table: String, entityNumber: Int64, count: Int64)
  /// `Z_MAX` is below a key that is in use: the next insertion would fail.
  case staleCounter(entity: String, counter: Int64, highest: Int64)
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
    case .noMetadata: "Z_METADATA has no row: the store's UUID and model are unknown"
    case .noPropertyList: "Z_METADATA has no property list: the model is unknown"
    case .unreadableMetadata(let reason):
      "the property list in Z_METADATA can't be read, so the model is unknown: \(reason)"
    case .renamedEntity(let name, let number):
      "entity \(number) is called '\(name)' in Z_PRIMARYKEY, but no version hash has that name:"
        + " it was probably renamed in place"
    case .missing(let gap): "it lacks \(gap.name)"
    case .unreadableTable(let table, let words): "SQLite can't read the table \(table): \(words)"
    case .strayRows(let table, let number, let count):
      "\(count) rows of \(table) have the entity number \(number), which does not belong there"
    case .staleCounter(let entity, let counter, let highest):
      "Z_MAX of '\(entity)' is \(counter), but key \(highest) is in use"
    case .uncheckpointed(let bytes):
      "\(bytes) bytes of changes are still in the -wal file; copy it along with the store"
    case .derivedAttributeTriggers(let count):
      "\(count) triggers keep derived attributes up to date"
    case .foreignTriggers(let names):
      "it has triggers that are none of Core Data's, and storetool writes nothing to their tables: "
        + names.joined(separator: ", ")
    case .history(let transactions): "it keeps a persistent history of \(transactions) transactions"
    case .unusualPageSize(let size): "its page size is \(size), not 4096"
    case .unusualVacuum(let mode): "its auto_vacuum is \(mode), not 2 (incremental)"
    }
  }
}
