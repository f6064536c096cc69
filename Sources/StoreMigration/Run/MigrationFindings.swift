import StoreLayout
import SQLiteAccess
package import StoreDiagnostics
package import StoreCore

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
        var own = StepRun(of: copy, on: connection, steps, cancellation)
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
