import StoreSQL
import RecordFormats
import StoreMigration
import StoreModel
import StoreModelReader

/// The facts of `migrate`.
enum MigrationFacts {
  static func status(of source: MigrationSource) -> Facts {
    .page(head(of: source).value)
  }

  private static func head(of source: MigrationSource) -> FactObject {
    var page = FactObject()
    page.add("store", source.storePath)
    page.add("model", source.found.bundle.name)
    page.add("version", source.found.version.name)
    page.add("target", source.target.version.name)
    page.add("pending", source.isPending)
    page.add("path", source.route.legs.map { facts(of: $0, in: source) })
    return page
  }

  private static func facts(
    of leg: MigrationRoute.Leg, in source: MigrationSource
  ) -> FactObject {
    var object = FactObject()
    object.add("from", leg.path.ends.from)
    object.add("to", leg.path.ends.to)
    switch leg.path {
    case .inferred: object.add("by", "inference")
    case .custom(let jump): object.add("by", source.definitionPath(of: jump))
    }
    object.add("over", leg.over)
    object.add("keeps", leg.renames.map { "\($0.source) as \($0.target)" })
    return object
  }

  // MARK: Plan

  static func plan(
    _ migration: Migration, cost: MigrationCost, findings: MigrationFindings,
    straight: MigrationFindings?, settings: MigrationSettings, of source: MigrationSource
  ) -> Facts {
    var page = head(of: source)
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

  // MARK: Report

  static func report(_ report: MigrationReport, of source: MigrationSource) -> Facts {
    var page = FactObject()
    page.add("store", source.storePath)
    page.add("from", source.found.version.name)
    page.add("to", source.target.version.name)
    page.add("backup", report.backup)
    page.add("steps", report.steps)
    page.add("rowsProved", report.rowsProved)
    page.add("valuesProved", report.valuesProved)
    page.add("pairsProved", report.pairsProved)
    page.add("bytesBefore", report.bytesBefore)
    page.add("bytesAfter", report.bytesAfter)
    page.add("seconds", JSONValue(.number(tenths(report.duration / .seconds(1)))))
    page.add("notes", report.notes)
    page.add("losses", report.losses.map(facts))
    page.add("proofs", report.proofs.map(facts))
    return .page(page.value)
  }

  static func facts(of loss: Loss) -> FactObject {
    var object = FactObject()
    object.add("name", loss.name)
    object.add("count", loss.count)
    return object
  }

  private static func facts(of proof: MigrationReport.Proof) -> FactObject {
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
