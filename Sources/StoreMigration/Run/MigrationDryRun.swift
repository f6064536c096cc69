import SQLiteAccess
package import StoreCore
package import StoreDiagnostics
import StoreLayout

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

/// What the questions of a migration find: the same that its run would, all of it.
package struct MigrationFindings: Hashable, Sendable {
  /// Those that are not allowed, of the first plan that has some: what comes behind it can't be asked.
  package private(set) var failedChecks: [FailedCheck] = []
  /// What would be dropped, allowed or not.
  package private(set) var losses: [Loss] = []

  /// Where a definition is on the way, the questions behind it are about rows that have yet to be
  /// made: then all is done on a copy, which is removed.
  ///
  /// - Throws: `DatabaseError`, `MigrationRunError`, `Cancelled`
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
