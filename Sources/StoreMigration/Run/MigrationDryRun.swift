package import StoreDiagnostics
package import StoreCore

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
  ///   - share: told how much lies behind once the copy is there, from 0 to 1.
  /// - Throws: what the run would throw; the copy is removed in any case.
  package static func run(
    _ migration: Migration, of store: Store, settings: MigrationSettings,
    steps: [CustomStep] = [], cancellation: Cancellation = .ofProcess,
    progress: @escaping (MigrationPhase) -> Void = { _ in },
    share: @escaping (Double) -> Void = { _ in }
  ) throws -> MigrationResult {
    progress(.backingUp)
    return try withCopy(
      of: store, takesFiles: takesFiles(migration, steps), cancellation: cancellation
    ) { copy in
      var settings = settings
      settings.backup = .none
      return try MigrationRun(
        migration, of: copy, settings: settings, steps: steps, cancellation: cancellation,
        progress: progress, share: share
      ).run()
    }
  }

  /// Whether a migration reads or writes values in files. Steps of the program may do so.
  static func takesFiles(_ migration: Migration, _ steps: [CustomStep]) -> Bool {
    !steps.isEmpty || migration.plans.contains(where: \.readsFiles)
  }

  /// - Parameters:
  ///   - takesFiles: whether `body` reads or writes values in files.
  ///   - body: may do anything to the copy, which is opened alone, beside the store, and removed
  ///     afterwards.
  static func withCopy<Result>(
    of store: Store, takesFiles: Bool, cancellation: Cancellation,
    _ body: (Store) throws -> Result
  ) throws -> Result {
    let path: FilePath = "\(store.path).\(UUID().uuidString).dry-run"
    try store.copyForDryRun(
      to: path, takesFiles: takesFiles, cancellation: cancellation)
    defer { Store.discardDryRunCopy(path) }
    let copy = try Store.openExclusively(path)
    let result = try body(copy)
    try copy.close()
    return result
  }
}
