import SQLiteAccess

/// The proof of a plan: scans before its first step and after its last step, whose results must be equal.
struct ProofRun {
  /// Returns the fingerprints before the plan's steps. It waits for them if another thread computes them.
  private let before: () throws -> [RowFingerprint]
  private let scans: [ProofScan]
  private let connection: Connection

  /// - Parameter state: a state that can be read while the steps run; nil if only this connection can read it.
  init(
    _ scans: [ProofScan], on connection: Connection, before state: StateBefore?
  ) throws {
    self.scans = scans
    self.connection = connection
    if let state, !scans.isEmpty {
      before = FingerprintThread(of: scans.map(\.before), in: state).fingerprints
    } else {
      let taken = try scans.map { try connection.fingerprint(of: $0.before) }
      before = { taken }
    }
  }

  /// Runs the scans after the last step, and compares the results.
  ///
  /// - Throws: `MigrationRunError.unproved` with all differences, and `DatabaseError`.
  func finish() throws -> [MigrationResult.Proof] {
    var differences: [ProofDifference] = []
    var proofs: [MigrationResult.Proof] = []
    let after = try scans.map { try connection.fingerprint(of: $0.after) }
    for (scan, (before, after)) in zip(scans, zip(try before(), after)) {
      differences += scan.differences(before, after)
      proofs.append(
        MigrationResult.Proof(
          subject: scan.subject, rows: after.rows,
          values: after.columns.reduce(0) { $0 + $1.values }))
    }
    guard differences.isEmpty else { throw MigrationRunError.unproved(differences) }
    return proofs
  }
}

extension ProofScan {
  /// Returns the differences. If the number of rows or their keys differ, columns aren't compared, because every column
  /// would differ.
  func differences(_ before: RowFingerprint, _ after: RowFingerprint) -> [ProofDifference] {
    guard before != after else { return [] }
    func difference(_ kind: ProofDifference.Kind) -> ProofDifference {
      ProofDifference(subject: subject, kind: kind)
    }
    guard before.rows == after.rows else {
      return [difference(.rows(before: before.rows, after: after.rows))]
    }
    guard before.keys == after.keys else { return [difference(.keys)] }
    guard before.columns.count == after.columns.count else {
      return [difference(.contents(column: "*"))]
    }
    return zip(before.columns, after.columns).enumerated().compactMap { index, pair in
      guard pair.0 != pair.1 else { return nil }
      let column = index < columns.count ? columns[index] : "\(index + 1)"
      return pair.0.values == pair.1.values
        ? difference(.contents(column: column))
        : difference(
          .values(column: column, before: pair.0.values, after: pair.1.values))
    }
  }
}
