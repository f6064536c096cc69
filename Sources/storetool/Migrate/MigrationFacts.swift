import SQLiteAccess
import RecordFormats
import StoreMigration
import StoreModel
import StoreModelReader

/// The facts of `migrate`.
enum MigrationFacts {
  static func status(of request: RequestedMigration) -> Facts {
    .page(head(of: request).value)
  }

  private static func head(of request: RequestedMigration) -> FactObject {
    var page = FactObject()
    page.add("store", request.storePath)
    page.add("model", request.modelName)
    page.add("version", request.source.name)
    page.add("target", request.target)
    page.add("pending", request.isPending)
    page.add("path", request.route.legs.map { facts(of: $0, in: request) })
    return page
  }

  private static func facts(
    of leg: MigrationRoute.Leg, in request: RequestedMigration
  ) -> FactObject {
    var object = FactObject()
    object.add("from", leg.path.ends.from)
    object.add("to", leg.path.ends.to)
    switch leg.path {
    case .inferred: object.add("by", "inference")
    case .custom(let jump): object.add("by", request.definitionPath(of: jump))
    }
    object.add("over", leg.over)
    object.add("keeps", leg.renames.map { "\($0.source) as \($0.target)" })
    object.add("mismatches", leg.mismatches.map { "\($0.source) as \($0.target)" })
    return object
  }

  // MARK: Plan

  static func plan(
    _ migration: Migration, cost: MigrationCost, findings: MigrationFindings,
    straight: MigrationFindings?, settings: MigrationSettings, of request: RequestedMigration
  ) -> Facts {
    var page = head(of: request)
    page.add("diskNeeded", cost.disk)
    page.add("backupBytes", cost.backup)
    page.add("seconds", JSONValue(.number(tenths(cost.seconds))))
    page.add("notes", migration.plans.flatMap(\.notes))
    page.add("problems", findings.failedChecks.map(facts))
    page.add("losses", findings.losses.map { facts(of: $0, settings) })
    if let straight {
      page.add("straightProblems", straight.failedChecks.map(facts))
      page.add("straightLosses", straight.losses.map(facts))
    }
    page.add("tables", cost.tables.map(facts))
    page.add("proofs", migration.plans.flatMap(\.proofs).map(facts))
    page.add("steps", migration.steps.map(facts))
    return .page(page.value)
  }

  private static func facts(of check: FailedCheck) -> FactObject {
    var object = FactObject()
    object.add("code", check.problem.code)
    object.add("message", check.problem.sentence)
    object.add("count", check.count)
    object.add("offenders", check.offenders.map(\.id))
    if case .duplicates(_, let properties) = check.problem {
      object.add("groups", check.offenders.compactMap(\.group).map { facts(of: $0, properties) })
    }
    return object
  }

  private static func facts(
    of group: FailedCheck.Offender.Group, _ properties: [String]
  ) -> FactObject {
    var values = FactObject()
    for (name, value) in zip(properties, group.values) { values.add(name, value.literal) }
    var object = FactObject()
    object.add("values", values.value)
    object.add("count", group.count)
    object.add("rows", group.ids)
    return object
  }

  private static func facts(of loss: Loss, _ settings: MigrationSettings) -> FactObject {
    var object = FactObject()
    object.add("name", loss.name)
    object.add("count", loss.count)
    object.add("allowed", settings.allowedLosses.allow(loss.name))
    return object
  }

  private static func facts(of table: MigrationCost.Table) -> FactObject {
    var object = FactObject()
    object.add("from", table.transition.from)
    object.add("to", table.transition.to)
    object.add("way", table.transition.strategy.rawValue)
    object.add("rows", table.rows)
    object.add("bytes", table.bytes)
    return object
  }

  private static func facts(of scan: ProofScan) -> FactObject {
    var object = FactObject()
    object.add("subject", scan.subject)
    object.add("columns", scan.columns)
    return object
  }

  private static func facts(of step: MigrationStep) -> FactObject {
    var object = FactObject()
    object.add("purpose", step.purpose)
    object.add("effect", step.effect.words)
    object.add("sql", step.sql.literalText)
    return object
  }

  // MARK: Result

  static func result(_ result: MigrationResult, of request: RequestedMigration) -> Facts {
    var page = FactObject()
    page.add("store", request.storePath)
    page.add("from", request.source.name)
    page.add("to", request.target)
    page.add("backup", result.backup)
    page.add("steps", result.steps)
    page.add("rowsProved", result.rowsProved)
    page.add("valuesProved", result.valuesProved)
    page.add("pairsProved", result.pairsProved)
    page.add("bytesBefore", result.bytesBefore)
    page.add("bytesAfter", result.bytesAfter)
    page.add("seconds", JSONValue(.number(tenths(result.duration / .seconds(1)))))
    page.add("notes", result.notes)
    page.add("losses", result.losses.map(facts))
    page.add("proofs", result.proofs.map(facts))
    return .page(page.value)
  }

  static func facts(of loss: Loss) -> FactObject {
    var object = FactObject()
    object.add("name", loss.name)
    object.add("count", loss.count)
    return object
  }

  private static func facts(of proof: MigrationResult.Proof) -> FactObject {
    var object = FactObject()
    object.add("subject", proof.subject)
    object.add("rows", proof.rows)
    object.add("values", proof.values)
    return object
  }

  /// `0.4`
  private static func tenths(_ seconds: Double) -> String {
    let tenths = Int((seconds * 10).rounded())
    return "\(tenths / 10).\(tenths % 10)"
  }
}

extension MigrationStep.Effect {
  /// `schema`, `rows ZITEM`
  fileprivate var words: String {
    switch self {
    case .schema: "schema"
    case .rows(let table): "rows \(table)"
    case .scratch: "scratch"
    case .bookkeeping: "bookkeeping"
    case .script: "script"
    case .question: "question"
    }
  }
}
