import StoreDiagnostics
import StoreEngine

/// The facts of `verify`.
enum VerificationFacts {
  static func facts(of findings: [Finding]) -> Facts {
    .records(
      columns: ["severity", "code", "entity", "property", "count", "message", "examples"],
      findings.map { finding in
        var object = FactObject()
        object.add("severity", finding.severity.rawValue)
        object.add("code", finding.code)
        object.add("entity", finding.entity)
        object.add("property", finding.property)
        object.add("count", finding.count)
        object.add("message", finding.message)
        object.add("examples", finding.examples)
        return object.value
      })
  }
}
