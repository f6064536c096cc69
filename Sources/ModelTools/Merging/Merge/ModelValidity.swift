import StoreDiagnostics
import StoreModel
import StoreModelReader

/// The errors that make a text an invalid model.
struct ModelValidity {
  struct Issue: Hashable {
    var code: String
    var message: String
    var line: Int
    var column: Int
  }

  let faults: [Issue]

  init(of source: XMLSource) {
    faults = Self.findings(in: source).compactMap { finding in
      guard finding.severity == .error || Self.grave.contains(finding.code) else { return nil }
      return Issue(
        code: finding.code, message: finding.message, line: finding.place?.line ?? 1,
        column: finding.place?.column ?? 1)
    }
  }

  /// The codes of warnings that count as errors of a merge, such as an asymmetric inverse, or two names that differ
  /// only in case.
  private static let grave: Set = [
    "model.asymmetric-inverse", "model.inverse-entity", "model.same-but-for-case",
  ]

  private static func findings(in source: XMLSource) -> [Diagnostic] {
    do {
      let reading = try ModelReading.read(source, name: "")
      let templates = reading.model.templates + reading.model.fetchedPropertyTemplates
      return reading.diagnostics + reading.derivationFindings + reading.indexFindings
        + templates.flatMap { $0.findings(in: reading.model) }
    } catch {
      return [Diagnostic](explaining: error)
    }
  }

  /// Returns the errors that none of `others` has.
  func faults(beside others: [ModelValidity]) -> [Issue] {
    let known = Set(others.flatMap(\.faults).map { [$0.code, $0.message] })
    return faults.filter { !known.contains([$0.code, $0.message]) }
  }
}
