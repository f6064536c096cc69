import RecordFormats
import StoreVerification
import StoreDiagnostics
import StoreCore

/// The facts of `verify`.
enum VerificationFacts {
  private static let columns = [
    "severity", "code", "entity", "property", "count", "message", "examples",
  ]

  private struct Record: Encodable {
    let severity, code: String
    let entity, property: String?
    let count: Int64
    let message: String
    let examples: [String]
    @OmittedIfNil var repaired: Bool?

    init(_ finding: Finding, isRepaired: Bool? = nil) {
      (severity, code) = (finding.severity.rawValue, finding.code)
      (entity, property, count) = (finding.entity, finding.property, finding.count)
      (message, examples) = (finding.message, finding.examples)
      repaired = isRepaired
    }
  }

  static func facts(of findings: [Finding]) -> Facts {
    .records(columns: columns, findings.map { Record($0) })
  }

  /// Of a repair: what it has done, or would do, and what it leaves.
  static func facts(of outcome: Store.RepairResult) -> Facts {
    .records(
      columns: columns + ["repaired"],
      outcome.findings.map { Record($0, isRepaired: true) }
        + outcome.left.map { Record($0, isRepaired: false) })
  }
}
