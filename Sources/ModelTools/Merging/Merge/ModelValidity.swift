import StoreDiagnostics
import StoreModel
import StoreModelReader

/// The errors that make a text an invalid model.
struct ModelValidity {
  let faults: [DiagnosticMessage]

  init(of source: XMLSource) {
    faults = Self.findings(in: source).filter {
      $0.severity == .error || Self.grave.contains($0.code)
    }
  }

  /// The codes of warnings that count as errors in a merge, such as those for an asymmetric inverse, or for two
  /// names that differ only in case.
  private static let grave: Set = [
    "model.asymmetric-inverse", "model.inverse-entity", "model.same-but-for-case",
  ]

  private static func findings(in source: XMLSource) -> [DiagnosticMessage] {
    do {
      let reading = try ModelReading.read(source, name: "")
      let templates = reading.model.templates + reading.model.fetchedPropertyTemplates
      return reading.diagnostics + reading.derivationFindings + reading.indexFindings
        + templates.flatMap { $0.findings(in: reading.model) }
    } catch {
      return [DiagnosticMessage](explaining: error)
    }
  }

  /// Returns the errors that none of `others` has.
  func faults(beside others: [ModelValidity]) -> [DiagnosticMessage] {
    let known = Set(others.flatMap(\.faults).map { [$0.code, $0.message] })
    return faults.filter { !known.contains([$0.code, $0.message]) }
  }
}
