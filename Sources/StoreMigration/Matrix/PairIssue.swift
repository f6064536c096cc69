package import StoreDiagnostics

/// What stands in the way of a pair of versions: the cause, which other pairs may have, and the rows of this one.
package struct PairIssue: Hashable, Sendable {
  /// Says nothing of single rows, so that it is equal for all pairs that have it.
  package let cause: Diagnostic
  /// How many rows of the sample; nil where it is not about rows.
  package let rows: Int?

  package init(_ cause: Diagnostic) {
    self.cause = cause
    rows = nil
  }

  init(_ check: FailedCheck) {
    cause = Diagnostic(
      .error, check.problem.code, check.problem.sentence,
      help: check.problem.remedy.map { [$0] } ?? [])
    rows = check.count
  }

  package static func all(of error: any DiagnosableError) -> [PairIssue] {
    guard case MigrationRunError.failedChecks(let checks) = error else {
      return error.diagnostics.map { PairIssue($0) }
    }
    return checks.map { PairIssue($0) }
  }

  package var code: String { cause.code }

  /// `file:1:86: 'Item' has no property 'nmae'`
  package var causeText: String { (cause.place.map { "\($0): " } ?? "") + cause.message }

  /// The cause, and how many rows: `'Topic' becomes unique by 'name', and rows are not: 1 row`
  package var message: String {
    causeText + (rows.map { ": \($0) \("row".plural($0))" } ?? "")
  }
}
