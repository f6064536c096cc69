import SQLiteAccess
import StoreLayout
import StoreModel

/// Runs the checks of a migration and counts its losses.
struct Preflight {
  let migration: Migration
  let settings: MigrationSettings
  let connection: Connection
  /// The store's UUID, for object IDs in messages.
  let storeUUID: String

  /// Runs the checks of a plan, counts its losses, and adds both to the result. The store must be in the state at the
  /// beginning of the plan.
  ///
  /// - Throws: `MigrationRunError.failedChecks` or `.losses` if they aren't allowed, and `DatabaseError`.
  func ask(_ plan: MigrationPlan, _ result: inout MigrationResult) throws {
    let failed = try failedChecks(of: plan)
    let standing = failed.filter { !permits($0) }
    guard standing.isEmpty else { throw MigrationRunError.failedChecks(standing) }
    let losses = try losses(of: plan.losses)
    let refused = losses.filter { !settings.allowedLosses.allow($0.name) }
    guard refused.isEmpty else {
      throw MigrationRunError.losses(refused, allowed: settings.allowedLosses.names)
    }
    result.permitted += failed
    result.losses += losses
  }

  /// Runs the checks after a custom step.
  ///
  /// - Throws: `MigrationRunError.failedChecks` if a check finds rows, and `DatabaseError`.
  func askBehindStep(of plan: MigrationPlan) throws {
    let failed = try plan.stepChecks.compactMap { try failedCheck($0, of: plan) }
    guard failed.isEmpty else { throw MigrationRunError.failedChecks(failed) }
  }

  /// Runs a check between the steps of a plan. The rows that it finds are losses.
  ///
  /// - Throws: `MigrationRunError.failedChecks` if the losses aren't allowed, and `DatabaseError`.
  func ask(
    _ question: MigrationCheck, of plan: MigrationPlan, _ result: inout MigrationResult
  ) throws {
    guard let failed = try failedCheck(question, of: plan) else { return }
    guard permits(failed), let name = failed.permission else {
      throw MigrationRunError.failedChecks([failed])
    }
    result.permitted.append(failed)
    result.losses.append(MigrationLoss(name: name, count: Int64(failed.count)))
  }

  /// Whether the settings allow the loss that a failed check causes.
  func permits(_ failed: FailedCheck) -> Bool {
    failed.permission.map(settings.allowedLosses.allow) ?? false
  }

  func failedChecks(of plan: MigrationPlan) throws -> [FailedCheck] {
    try plan.checks.compactMap { try failedCheck($0, of: plan) }
  }

  /// Counts possible losses, and returns the losses that occur in the store.
  func losses(of possible: [PossibleLoss]) throws -> [MigrationLoss] {
    try possible.map { MigrationLoss(name: $0.name, count: try connection.integer($0.count)) }
      .filter { $0.count > 0 }
  }

  private static let shownOffenders = 20
  /// The maximum number of keys in `FailedCheck.keys`.
  private static let knownKeys = 1000

  private func failedCheck(
    _ check: MigrationCheck, of plan: MigrationPlan
  ) throws(DatabaseError) -> FailedCheck? {
    var rows = try connection.prepare(check.offenders)
    var failed = FailedCheck(
      problem: check.problem, count: 0, offenders: [], permission: check.permission,
      source: check.source.flatMap { originalName(of: $0, in: plan) })
    while try rows.step() {
      failed.count += 1
      if failed.keys.count < Self.knownKeys { failed.keys.append(rows.integer(at: 0)) }
      guard failed.count <= Self.shownOffenders else { continue }
      let name = check.problem.entity
      func id(_ key: Int64) -> String { "x-coredata://\(storeUUID)/\(name)/p\(key)" }
      var offender = FailedCheck.Offender(
        id: id(rows.integer(at: 0)), value: rows.columnCount > 1 ? rows.value(at: 1) : nil)
      if case .duplicates(_, let properties) = check.problem {
        let keys = (rows.value(at: Int32(properties.count) + 1).text ?? "").split(separator: ",")
          .compactMap { Int64($0) }.sorted()
        offender.group = FailedCheck.Offender.Group(
          values: properties.indices.map { rows.value(at: Int32($0) + 1) },
          ids: keys.prefix(Self.shownOffenders).map(id), count: keys.count)
      }
      failed.offenders.append(offender)
    }
    return failed.count > 0 ? failed : nil
  }

  /// Returns the name of a plan's source entity in the current store; nil if the store doesn't have it.
  private func originalName(of entity: String, in plan: MigrationPlan) -> String? {
    let before = migration.plans.prefix { $0 != plan }
    return before.reversed().reduce(entity) { name, plan in
      name.flatMap { name in plan.mapping.entities.first { $0.target == name }?.source }
    }
  }

  /// Checks that each allowed loss is possible or exists in some version. Allowing a loss that doesn't occur isn't an
  /// error.
  ///
  /// - Throws: `MigrationRunError.unknownLoss` for the first unknown name.
  func checkAllowedLosses() throws(MigrationRunError) {
    guard case .some(let names) = settings.allowedLosses, !names.isEmpty else { return }
    let possible = migration.losses.map(\.name)
    let models = migration.plans.flatMap { [$0.source.model, $0.target.model] }
    let known = models.reduce(settings.otherNames.union(possible)) { $0.union($1.lossNames) }
    for name in names where !known.contains(name) {
      throw .unknownLoss(name, known: possible.isEmpty ? known.sorted() : possible.sorted())
    }
  }
}
