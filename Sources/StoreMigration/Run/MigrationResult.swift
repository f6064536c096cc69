/// What a run has done.
package struct MigrationResult: Hashable, Sendable {
  /// What was compared and found equal.
  package struct Proof: Hashable, Sendable {
    /// `Item`, or `Item.tags` for pairs.
    package var subject: String
    package var rows: Int
    /// Of the columns behind the key, those that are not NULL.
    package var values: Int

    package var isOfPairs: Bool { subject.contains(".") }
  }

  package var backup: String?
  package var steps = 0
  /// What was dropped.
  package var losses: [Loss] = []
  /// What stood in the way and was allowed.
  package var permitted: [FailedCheck] = []
  package var proofs: [Proof] = []
  package var notes: [String] = []
  /// The file before and after, in bytes.
  package var bytesBefore: Int64 = 0
  package var bytesAfter: Int64 = 0
  package var duration: Duration = .zero

  package init() {}

  package var rowsProved: Int { proofs.filter { !$0.isOfPairs }.reduce(0) { $0 + $1.rows } }
  package var valuesProved: Int { proofs.reduce(0) { $0 + $1.values } }
  package var pairsProved: Int { proofs.filter(\.isOfPairs).reduce(0) { $0 + $1.rows } }
}
