package import StoreEngine

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Runs a migration on a copy of the store, for its real figures.
package enum MigrationTrial {
  /// - Parameters:
  ///   - store: only read.
  ///   - settings: the backup is left out.
  /// - Throws: what the run would throw; the copy is removed in any case.
  package static func run(
    _ migration: Migration, of store: Store, settings: MigrationSettings,
    cancellation: Cancellation = .ofProcess,
    progress: @escaping (MigrationRun.Phase) -> Void = { _ in }
  ) throws -> MigrationReport {
    let path = "\(store.path).\(UUID().uuidString).dry-run"
    progress(.backingUp)
    try store.copyForTrial(to: path, cancellation: cancellation)
    defer { Store.discardTrial(path) }
    let copy = try Store.openAlone(path)
    var settings = settings
    settings.backup = .none
    settings.countsLosses = true
    let report = try MigrationRun(
      migration, of: copy, settings: settings, cancellation: cancellation, progress: progress
    ).run()
    try copy.close()
    return report
  }
}
