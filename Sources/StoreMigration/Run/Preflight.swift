import SQLiteAccess
import StoreLayout
import StoreModel

/// Everything that is asked before the first byte changes.
struct Preflight {
  let migration: Migration
  let settings: MigrationSettings
  let connection: Connection
  /// The store's UUID, for object IDs.
  let storeUUID: String

  /// What the questions of a plan find that is permitted.
  struct Answers {
    var permitted: [FailedCheck] = []
    var losses: [Loss] = []
  }

  /// A plan's checks and losses, in the state of the store in which the plan begins.
  ///
  /// - Throws: `MigrationRunError`, `DatabaseError`
  func ask(_ plan: MigrationPlan) throws -> Answers {
    let failed = try failedChecks(of: plan)
    let standing = failed.filter { !permits($0) }
    guard standing.isEmpty else { throw MigrationRunError.failedChecks(standing) }
    let losses = try losses(of: plan.losses)
    let refused = losses.filter { !settings.allowedLosses.allow($0.name) }
    guard refused.isEmpty else { throw MigrationRunError.losses(refused) }
    return Answers(permitted: failed, losses: losses)
  }

  /// What the program's own step had to see to.
  ///
  /// - Throws: `MigrationRunError.failedChecks`, `DatabaseError`
  func askBehindStep(of plan: MigrationPlan) throws {
    let failed = try plan.stepChecks.compactMap { try failedCheck($0, of: plan) }
    guard failed.isEmpty else { throw MigrationRunError.failedChecks(failed) }
  }

  /// A question in the middle of a plan: what it finds is what is lost.
  ///
  /// - Throws: `MigrationRunError.failedChecks`, `DatabaseError`
  func ask(_ question: MigrationCheck, of plan: MigrationPlan) throws -> Answers {
    guard let failed = try failedCheck(question, of: plan) else { return Answers() }
    guard permits(failed), let name = failed.permission else {
      throw MigrationRunError.failedChecks([failed])
    }
    return Answers(permitted: [failed], losses: [Loss(name: name, count: Int64(failed.count))])
  }

  /// Whether the settings allow what a check has found.
  func permits(_ failed: FailedCheck) -> Bool {
    failed.permission.map(settings.allowedLosses.allow) ?? false
  }

  func failedChecks(of plan: MigrationPlan) throws(DatabaseError) -> [FailedCheck] {
    var failed: [FailedCheck] = []
    for check in plan.checks {
      if let found = try failedCheck(check, of: plan) { failed.append(found) }
    }
    return failed
  }

  /// What a plan really drops.
  func losses(of possible: [PossibleLoss]) throws(DatabaseError) -> [Loss] {
    var losses: [Loss] = []
    for loss in possible {
      let count = try connection.integer(loss.count)
      if count > 0 { losses.append(Loss(name: loss.name, count: count)) }
    }
    return losses
  }

  private static let shownOffenders = 20
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

  /// What an entity of a plan's source is called in the store as it is; nil where it is none.
  private func originalName(of entity: String, in plan: MigrationPlan) -> String? {
    let before = migration.plans.prefix { $0 != plan }
    return before.reversed().reduce(entity) { name, plan in
      name.flatMap { name in plan.mapping.entities.first { $0.target == name }?.source }
    }
  }

  /// Names that could be lost, or that some version has: allowing what is not lost is not a mistake.
  ///
  /// - Throws: `MigrationRunError.unknownLoss`
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
