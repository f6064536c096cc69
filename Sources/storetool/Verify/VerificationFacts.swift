import StoreVerification
import StoreDiagnostics
import StoreCore

/// The facts of `verify`.
enum VerificationFacts {
  private static let columns = [
    "severity", "code", "entity", "property", "count", "message", "examples",
  ]

  static func facts(of findings: [Finding]) -> Facts {
    .records(columns: columns, findings.map { object(of: $0).value })
  }

  /// Of a repair: what it has done, or would do, and what it leaves.
  static func facts(of outcome: Store.RepairResult) -> Facts {
    let all = outcome.findings.map { ($0, true) } + outcome.left.map { ($0, false) }
    return .records(
      columns: columns + ["repaired"],
      all.map { finding, isRepaired in
        var object = object(of: finding)
        object.add("repaired", isRepaired)
        return object.value
      })
  }

  private static func object(of finding: Finding) -> FactObject {
    var object = FactObject()
    object.add("severity", finding.severity.rawValue)
    object.add("code", finding.code)
    object.add("entity", finding.entity)
    object.add("property", finding.property)
    object.add("count", finding.count)
    object.add("message", finding.message)
    object.add("examples", finding.examples)
    return object
  }
}
