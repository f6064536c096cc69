public import StoreDiagnostics

/// The result of a migration.
public struct MigrationResult: Hashable, Sendable {
  /// The proof for one entity or relationship: a comparison before and after the migration, in which all rows or pairs
  /// were equal.
  public struct Proof: Hashable, Sendable {
    /// The name of the entity, such as `Item`, or of a relationship with pairs, such as `Item.tags`.
    public internal(set) var subject: String
    /// The number of rows or pairs.
    public internal(set) var rows: Int
    /// The number of compared values that aren't NULL.
    public internal(set) var values: Int

    package var isOfPairs: Bool { subject.contains(".") }
  }

  /// The path of the backup; nil if no backup was created.
  public internal(set) var backup: LocalPath?
  /// The number of executed statements.
  public internal(set) var steps = 0
  /// The dropped rows, values and pairs.
  public internal(set) var losses: [MigrationLoss] = []
  /// The failed checks that didn't stop the migration, because the settings allow the loss.
  package var permitted: [FailedCheck] = []
  /// The comparisons of rows and pairs before and after the migration.
  public internal(set) var proofs: [Proof] = []
  /// Notes, for example about keys that changed, or relationships that became ordered.
  public internal(set) var notes: [String] = []
  /// The size of the file in bytes before the migration.
  public internal(set) var bytesBefore: Int64 = 0
  /// The size of the file in bytes after the migration.
  public internal(set) var bytesAfter: Int64 = 0
  /// The duration of the migration.
  public internal(set) var duration: Duration = .zero

  package init() {}

  /// The number of compared rows.
  public var rowsProved: Int { proofs.filter { !$0.isOfPairs }.reduce(0) { $0 + $1.rows } }
  /// The number of compared values that aren't NULL.
  public var valuesProved: Int { proofs.reduce(0) { $0 + $1.values } }
  /// The number of compared pairs of relationships.
  public var pairsProved: Int { proofs.filter(\.isOfPairs).reduce(0) { $0 + $1.rows } }
}

/// A phase of a migration, for displaying progress.
public enum MigrationPhase: Hashable, Sendable {
  /// Checks for rows that prevent the migration, and for losses.
  case checking
  /// Copies the store, to create the backup or the copy for a dry run.
  case backingUp
  /// Reads the rows that are compared.
  case proving
  /// Runs a statement. Contains its number, counted from 1, the number of all statements, and the statement's purpose,
  /// such as `drops Item.mark`.
  case step(number: Int, of: Int, purpose: String)
  /// Runs a custom step between two versions.
  case customStep(from: String, to: String)
}

extension MigrationPhase: CustomStringConvertible {
  /// The text of a progress line, such as `3 of 12: drops Item.mark`.
  public var description: String {
    switch self {
    case .checking: "checking rows and losses"
    case .backingUp: "copying the store"
    case .proving: "reading the rows to compare"
    case .customStep(let from, let to): "running the custom step from '\(from)' to '\(to)'"
    case .step(let number, let count, let purpose): "\(number) of \(count): \(purpose)"
    }
  }
}
