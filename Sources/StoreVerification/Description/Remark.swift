import StoreDiagnostics

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
