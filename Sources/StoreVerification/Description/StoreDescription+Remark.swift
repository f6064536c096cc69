import StoreDiagnostics

extension StoreDescription {
  /// An unusual property of a store. It isn't damage, which is a `StoreFinding`.
  public enum Remark: Hashable, Sendable {
    /// An entity of `Z_PRIMARYKEY` without a version hash. A migration in place has probably renamed it; such a
    /// migration keeps the old name in `Z_PRIMARYKEY`.
    case renamedEntity(String, number: Int64)
    /// The `-wal` isn't empty. Contains its size.
    case uncheckpointed(bytes: Int64)
    /// The number of triggers that update derived attributes.
    case derivedAttributeTriggers(Int)
    /// Triggers that Core Data didn't create, as `name on TABLE`.
    case foreignTriggers([String])
    /// The store has a persistent history.
    case history(transactions: Int64)
    /// A page size other than 4,096 bytes.
    case unusualPageSize(Int64)
    /// A mode of auto-vacuum other than 2 (incremental).
    case unusualVacuum(Int64)

    /// The remark as a sentence in English.
    public var sentence: String {
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
}
