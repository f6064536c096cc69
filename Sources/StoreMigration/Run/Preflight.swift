import StoreEngine
import StoreModel

/// Everything that is asked before the first byte changes.
struct Preflight {
  let migration: Migration
  let settings: MigrationSettings
  let connection: Connection
  /// The store's UUID, for object IDs.
  let storeUUID: String

  /// A plan's checks and losses, in the state of the store in which the plan begins.
  ///
  /// - Returns: what is lost with permission.
  /// - Throws: `MigrationError`, `StoreError`
  func ask(_ plan: MigrationPlan) throws -> [Loss] {
    let failed = try failedChecks(of: plan)
    guard failed.isEmpty else { throw MigrationError.failedChecks(failed) }
    let losses = try losses(of: plan.losses)
    let refused = losses.filter { !settings.allowedLosses.allow($0.name) }
    guard refused.isEmpty else { throw MigrationError.losses(refused) }
    return losses
  }

  func failedChecks(of plan: MigrationPlan) throws(StoreError) -> [FailedCheck] {
    var failed: [FailedCheck] = []
    for check in plan.checks {
      if let found = try ask(check) { failed.append(found) }
    }
    return failed
  }

  /// What a plan really drops.
  func losses(of possible: [PossibleLoss]) throws(StoreError) -> [Loss] {
    var losses: [Loss] = []
    for loss in possible {
      let count = try connection.integer(loss.count)
      if count > 0 { losses.append(Loss(name: loss.name, count: count)) }
    }
    return losses
  }

  private static let shownOffenders = 20

  private func ask(_ check: MigrationCheck) throws(StoreError) -> FailedCheck? {
    var rows = try connection.prepare(check.offenders)
    var failed = FailedCheck(problem: check.problem, count: 0, offenders: [])
    while try rows.step() {
      failed.count += 1
      guard failed.count <= Self.shownOffenders else { continue }
      let name = check.problem.entity
      failed.offenders.append(
        FailedCheck.Offender(
          id: "x-coredata://\(storeUUID)/\(name)/p\(rows.integer(at: 0))",
          value: rows.columnCount > 1 ? rows.value(at: 1) : nil))
    }
    return failed.count > 0 ? failed : nil
  }

  /// Names that could be lost, or that some version has: allowing what is not lost is no mistake.
  ///
  /// - Throws: `MigrationError.unknownLoss`
  func checkAllowedLosses() throws(MigrationError) {
    guard case .some(let names) = settings.allowedLosses, !names.isEmpty else { return }
    let possible = migration.losses.map(\.name)
    let models = migration.plans.flatMap { [$0.source.model, $0.target.model] }
    let known = models.reduce(settings.otherNames.union(possible)) { $0.union($1.lossNames) }
    for name in names where !known.contains(name) {
      throw .unknownLoss(name, known: possible.isEmpty ? known.sorted() : possible.sorted())
    }
  }
}
