/// What becomes of a record whose row would break a uniqueness constraint.
public enum ConflictPolicy: String, Hashable, Sendable, CaseIterable {
  /// Nothing is written.
  case fail
  /// The record is left out.
  case ignore
  /// The row that is there takes the values that the record gives.
  case update
}
