package import StoreDiagnostics

extension CompactionError: DiagnosableError {
  package var diagnostics: [Diagnostic] {
    switch self {
    case .refused(let words):
      [
        Diagnostic(
          .error, "compact.refused", "SQLite can't write the store anew: \(words)",
          help: ["something that is not of the model needs what is not here: drop it first"])
      ]
    case .rowsDiffer(let table, let before, let after):
      [
        Diagnostic(
          .error, "compact.rows-differ",
          "\(table) has \(Self.rows(after)) now, and had \(Self.rows(before))", cause: .bug,
          help: ["this is a bug in SQLite or in storetool: go back to a copy of the store"])
      ]
    }
  }

  private static func rows(_ count: Int64?) -> String {
    count.map { $0 == 1 ? "1 row" : "\($0) rows" } ?? "no rows, being not there"
  }
}
