package import StoreDiagnostics
package import StoreEngine

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Runs a migration on a copy of the store, for its real figures.
package enum MigrationDryRun {
  /// - Parameters:
  ///   - store: only read.
  ///   - settings: the backup is left out.
  ///   - steps: what the program itself does between versions.
  /// - Throws: what the run would throw; the copy is removed in any case.
  package static func run(
    _ migration: Migration, of store: Store, settings: MigrationSettings,
    steps: [CustomStep] = [], cancellation: Cancellation = .ofProcess,
    progress: @escaping (MigrationPhase) -> Void = { _ in }
  ) throws -> MigrationResult {
    progress(.backingUp)
    return try withCopy(of: store, cancellation: cancellation) { copy in
      var settings = settings
      settings.backup = .none
      return try MigrationRun(
        migration, of: copy, settings: settings, steps: steps, cancellation: cancellation,
        progress: progress
      ).run()
    }
  }

  /// - Parameter body: may do anything to the copy, which is opened alone, beside the store, and
  ///   removed afterwards.
  static func withCopy<Result>(
    of store: Store, cancellation: Cancellation, _ body: (Store) throws -> Result
  ) throws -> Result {
    let path = "\(store.path).\(UUID().uuidString).dry-run"
    try store.copyForDryRun(to: path, cancellation: cancellation)
    defer { Store.discardDryRunCopy(path) }
    let copy = try Store.openExclusively(path)
    let result = try body(copy)
    try copy.close()
    return result
  }
}
