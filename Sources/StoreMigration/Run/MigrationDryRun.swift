import SQLiteAccess
package import StoreCore
package import StoreDiagnostics
import StoreLayout

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Runs a migration on a copy of the store to measure its results.
package enum MigrationDryRun {
  /// Copies the store, and migrates the copy.
  ///
  /// - Parameters:
  ///   - store: the store, which is only read.
  ///   - settings: the settings of the migration. The dry run doesn't create a backup.
  ///   - steps: the program's own code between versions.
  ///   - share: a function that is called with the completed share of the migration, from 0 to 1, without the copying.
  /// - Throws: the errors that the migration would throw. The copy is always deleted.
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

  /// Whether a migration may read or write values in external files. Any custom step may do so.
  static func takesFiles(_ migration: Migration, _ steps: [CustomStep]) -> Bool {
    !steps.isEmpty || migration.plans.contains(where: \.readsFiles)
  }

  /// Copies the store, and calls `body` with the copy.
  ///
  /// - Parameters:
  ///   - takesFiles: whether `body` reads or writes values in external files, which are then copied.
  ///   - body: a function that may change the copy. The copy is in the folder of the store, is open exclusively, and is
  ///     deleted afterwards.
  static func withCopy<Result>(
    of store: Store, takesFiles: Bool, cancellation: Cancellation,
    _ body: (Store) throws -> Result
  ) throws -> Result {
    let path: LocalPath = "\(store.path).\(UUID().uuidString).dry-run"
    try store.copyForDryRun(
      to: path, takesFiles: takesFiles, cancellation: cancellation)
    defer { Store.discardDryRunCopy(path) }
    let copy = try Store.openExclusively(path)
    let result = try body(copy)
    try copy.close()
    return result
  }
}

/// The results of the checks and the counts of losses at the beginning of each plan of a migration. Checks between
/// steps and after custom steps aren't evaluated.
package struct MigrationFindings: Hashable, Sendable {
  /// The failed checks that aren't allowed, of the first plan with such checks. Later plans can't be checked.
  package private(set) var failedChecks: [FailedCheck] = []
  /// The losses, whether or not they are allowed.
  package private(set) var losses: [MigrationLoss] = []

  /// Runs the checks. Checks of a later plan, and checks after SQL of a definition, depend on rows that don't exist
  /// yet. If there are such checks, the required part of the migration runs on a copy, which is deleted.
  ///
  /// - Throws: `DatabaseError` if the store can't be read, `MigrationRunError` if a step fails, and `Cancelled`.
  package init(
    of migration: Migration, in store: Store, settings: MigrationSettings = MigrationSettings(),
    steps: [CustomStep] = [], cancellation: Cancellation = .ofProcess
  ) throws {
    if migration.plans.count == 1, migration.plans[0].prelude.isEmpty {
      try store.read(cancellation: cancellation) {
        try ask(migration, 0, settings, in: store, on: $0)
      }
      return
    }
    try MigrationDryRun.withCopy(
      of: store, takesFiles: MigrationDryRun.takesFiles(migration, steps),
      cancellation: cancellation
    ) { copy in
      try copy.rewrite(lacking: copy.gaps, cancellation: cancellation) { connection in
        var migration = migration
        var own = StepRun(
          store: copy, connection: connection, steps: steps, cancellation: cancellation)
        for index in migration.plans.indices {
          let plan = migration.plans[index]
          for step in plan.prelude { try copy.run(step, on: connection) }
          try ask(migration, index, settings, in: copy, on: connection)
          guard failedChecks.isEmpty, index < migration.plans.count - 1 else { return }
          try own.keepRows(before: plan)
          for step in plan.steps + plan.epilogue { try copy.run(step, on: connection) }
          try own.run(behind: plan)
          try migration.replan(behind: index, of: copy, on: connection)
        }
      }
    }
  }

  private mutating func ask(
    _ migration: Migration, _ index: Int, _ settings: MigrationSettings, in store: Store,
    on connection: Connection
  ) throws {
    let preflight = Preflight(
      migration: migration, settings: settings, connection: connection,
      storeUUID: store.metadata.uuid)
    failedChecks = try preflight.failedChecks(of: migration.plans[index])
      .filter { !preflight.permits($0) }
    losses += try preflight.losses(of: migration.plans[index].losses)
  }
}
