import SQLiteAccess
package import StoreDiagnostics
import StoreLayout
package import StoreVerification
import StoreCore
import StoreModel

/// A migration of a store that is there to be tried on, with `verify` before and after: no backup,
/// every loss allowed, everything else as `migrate` does it.
package struct VerifiedMigration: Hashable, Sendable {
  package let report: MigrationResult
  package let before: [Finding]
  package let after: [Finding]

  /// - Parameters:
  ///   - path: a store of the first mapping's source version. It is changed.
  ///   - mappings: at least one; each begins at the version where the one before it ends.
  ///   - names: of the first and the last version, for messages.
  /// - Throws: what planning and `MigrationRun` throw; the store is then as it was.
  package init(
    of path: FilePath, by mappings: [ModelMapping], from source: String, to target: String,
    cancellation: Cancellation = .ofProcess
  ) throws {
    let models = (mappings[0].source, mappings[mappings.count - 1].target)
    let settings = MigrationSettings(backup: .none, allowedLosses: .all)
    before = try Self.findings(path, models.0, cancellation)
    let store = try Store.openExclusively(path)
    do {
      let migration = try Migration(
        from: source, to: target, by: MigrationAssembly.plans(mappings, for: store),
        model: ModelFingerprint(of: models.1),
        metadata: store.metadata)
      report = try MigrationRun(
        migration, of: store, settings: settings, cancellation: cancellation
      ).run()
    } catch {
      try store.close()
      throw error
    }
    try store.close()
    after = try Self.findings(path, models.1, cancellation)
  }

  private static func findings(
    _ path: FilePath, _ model: Model, _ cancellation: Cancellation
  ) throws -> [Finding] {
    let store = try Store.open(path, .reading)
    let findings = try store.verify(in: store.layout(for: model), cancellation: cancellation)
    try store.close()
    return findings
  }

  /// What was not there before. Names may have changed on the way, so cases of a kind are counted.
  package var newFindings: [Finding] { after.new(since: before) }
}

extension [Finding] {
  /// The findings that were not there before a migration. Names may have changed on the way, so cases of a
  /// kind are counted.
  func new(since before: [Finding]) -> [Finding] {
    func count(_ code: String, _ findings: [Finding]) -> Int64 {
      findings.reduce(0) { $0 + ($1.code == code ? $1.count : 0) }
    }
    return filter { finding in
      !before.contains(finding) && count(finding.code, self) > count(finding.code, before)
    }
  }
}
