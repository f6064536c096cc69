import SQLiteAccess
package import StoreDiagnostics
import StoreLayout
package import StoreVerification
import StoreCore
import StoreModel

/// A migration of a test store, with `verify` before and after. It doesn't create a backup, and allows all losses.
/// Otherwise it is the same as `storetool migrate`.
package struct VerifiedMigration: Hashable, Sendable {
  package let report: MigrationResult
  package let before: [StoreFinding]
  package let after: [StoreFinding]

  /// - Parameters:
  ///   - path: a store of the first mapping's source version. The store is changed.
  ///   - mappings: at least one mapping. Each begins at the version where the previous one ends.
  ///   - names: the names of the first and the last version, for messages.
  /// - Throws: errors of `MigrationAssembly` and `MigrationRun`, after which the store is unchanged, and errors of
  ///   reading the store.
  package init(
    of path: LocalPath, by mappings: [ModelMapping], from source: String, to target: String,
    cancellation: Cancellation = .ofProcess
  ) throws {
    let models = (mappings[0].source, mappings[mappings.count - 1].target)
    let settings = MigrationSettings(backup: .none, allowedLosses: .all)
    before = try Self.findings(path, models.0, cancellation)
    let store = try Store.openExclusively(path)
    let result = Result {
      let migration = try Migration(
        from: source, to: target, by: MigrationAssembly.plans(mappings, for: store),
        model: ModelFingerprint(of: models.1), metadata: store.metadata)
      return try MigrationRun(migration, of: store, settings: settings, cancellation: cancellation)
        .run()
    }
    try store.close()
    report = try result.get()
    after = try Self.findings(path, models.1, cancellation)
  }

  private static func findings(
    _ path: LocalPath, _ model: DataModel, _ cancellation: Cancellation
  ) throws -> [StoreFinding] {
    let store = try Store.open(path, .reading)
    let findings = try store.verify(in: store.layout(for: model), cancellation: cancellation)
    try store.close()
    return findings
  }

  /// The findings that the migration has caused.
  package var newFindings: [StoreFinding] { after.new(since: before) }
}

extension [StoreFinding] {
  /// Returns the findings that don't exist in `before`. The migration may have changed the names in findings, so a
  /// finding is only new if the number of cases with its code has increased.
  func new(since before: [StoreFinding]) -> [StoreFinding] {
    func count(_ code: String, _ findings: [StoreFinding]) -> Int64 {
      findings.reduce(0) { $0 + ($1.code == code ? $1.count : 0) }
    }
    return filter { finding in
      !before.contains(finding) && count(finding.code, self) > count(finding.code, before)
    }
  }
}
