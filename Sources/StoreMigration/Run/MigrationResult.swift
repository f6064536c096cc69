public import StoreDiagnostics

/// What a migration has done.
public struct MigrationResult: Hashable, Sendable {
  /// What was compared and found equal.
  public struct Proof: Hashable, Sendable {
    /// `Item`, or `Item.tags` for pairs.
    public internal(set) var subject: String
    public internal(set) var rows: Int
    /// Of the columns behind the key, those that are not NULL.
    public internal(set) var values: Int

    package var isOfPairs: Bool { subject.contains(".") }
  }

  /// The path of the backup; nil where none was made.
  public internal(set) var backup: FilePath?
  /// How many statements were run.
  public internal(set) var steps = 0
  /// What was dropped.
  public internal(set) var losses: [Loss] = []
  /// What stood in the way and was allowed.
  package var permitted: [FailedCheck] = []
  /// What was compared before and after, and found equal.
  public internal(set) var proofs: [Proof] = []
  /// What one should know: keys that have changed, relationships whose order is made up.
  public internal(set) var notes: [String] = []
  /// The size of the file before, in bytes.
  public internal(set) var bytesBefore: Int64 = 0
  /// The size of the file after, in bytes.
  public internal(set) var bytesAfter: Int64 = 0
  public internal(set) var duration: Duration = .zero

  package init() {}

  public var rowsProved: Int { proofs.filter { !$0.isOfPairs }.reduce(0) { $0 + $1.rows } }
  public var valuesProved: Int { proofs.reduce(0) { $0 + $1.values } }
  public var pairsProved: Int { proofs.filter(\.isOfPairs).reduce(0) { $0 + $1.rows } }
}

/// What a migration is about to do, for people who wait.
public enum MigrationPhase: Hashable, Sendable {
  /// Asks for rows that stand in the way, and for losses.
  case checking
  case backingUp
  /// Compares the rows before and after.
  case proving
  /// Runs a statement, the `number`th of so many: what it does.
  case step(number: Int, of: Int, purpose: String)
  /// Runs the program's own step between two versions.
  case customStep(from: String, to: String)
}

extension MigrationPhase: CustomStringConvertible {
  /// In words for a progress line: `3 of 12: drops Item.mark`.
  public var description: String {
    switch self {
    case .checking: "looks for what stands in the way"
    case .backingUp: "copies the store"
    case .proving: "reads what is to be compared"
    case .customStep(let from, let to): "runs the program's step from '\(from)' to '\(to)'"
    case .step(let number, let count, let purpose): "\(number) of \(count): \(purpose)"
    }
  }
}
