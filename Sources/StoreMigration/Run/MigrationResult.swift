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
