package import StoreEngine

/// What the questions of a migration find, as far as they can be asked now: those of later plans are
/// about a state that the first one has yet to make.
package struct MigrationFindings: Hashable, Sendable {
  package let failedChecks: [FailedCheck]
  /// What would be dropped, allowed or not.
  package let losses: [Loss]

  /// - Throws: `StoreError`
  package init(of migration: Migration, in store: Store, on connection: Connection) throws {
    let preflight = Preflight(
      migration: migration, settings: MigrationSettings(), connection: connection,
      storeUUID: store.metadata.uuid)
    failedChecks = try preflight.failedChecks(of: migration.plans[0])
    losses = try preflight.losses(of: migration.plans[0].losses)
  }
}
