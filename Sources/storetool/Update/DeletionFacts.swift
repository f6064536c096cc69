import SQLiteAccess
import RecordFormats
import StoreCore

/// The facts of `batch-delete` and of `explain batch-delete`.
enum DeletionFacts {
  /// `{"deleted": {"Item": 3}, "nullified": {"Item.list": 4}, "dangling": {}}`
  static func counts(of findings: DeletionFindings) -> FactObject {
    var page = FactObject()
    page.add("deleted", object(findings.deleted))
    page.add("nullified", object(findings.nullified))
    page.add("dangling", object(findings.dangling))
    return page
  }

  /// The same and how it would be done.
  static func dryRun(of outcome: Store.DeletionReport) -> Facts {
    var page = counts(of: outcome.findings)
    page.add("files", outcome.files)
    page.add("tables", outcome.findings.tables.map(facts))
    return .page(page.value)
  }

  static func explanation(of outcome: Store.DeletionReport) -> Facts {
    var page = FactObject()
    page.add("tables", outcome.findings.tables.map(facts))
    page.add("steps", outcome.steps.map(facts))
    return .page(page.value)
  }

  private static func object(_ counts: [String: Int]) -> JSONValue {
    var object = FactObject()
    for (name, count) in counts.sorted(by: { $0.key < $1.key }) { object.add(name, count) }
    return object.value
  }

  private static func facts(of work: DeletionFindings.TableWork) -> FactObject {
    var object = FactObject()
    object.add("table", work.table)
    object.add("rows", work.rows)
    object.add("deleted", work.deleted)
    object.add("way", work.way.rawValue)
    return object
  }

  private static func facts(of step: DeletionStep) -> FactObject {
    var object = FactObject()
    object.add("step", step.purpose)
    object.add("sql", step.sql.literalText)
    return object
  }
}
