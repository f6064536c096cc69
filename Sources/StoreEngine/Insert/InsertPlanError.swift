package import StoreDiagnostics

/// Why no rows of an entity can be written.
package enum InsertPlanError: DiagnosableError, Hashable {
  case unknownEntity(String, known: [String])
  case abstractEntity(String, concrete: [String])

  package var diagnostics: [Diagnostic] {
    switch self {
    case .unknownEntity(let name, let known):
      [
        Diagnostic(
          .error, "model.unknown-entity", "the model has no entity '\(name)'", cause: .notFound
        ).didYouMean(name, among: known)
      ]
    case .abstractEntity(let name, let concrete):
      [
        Diagnostic(
          .error, "insert.abstract-entity", "'\(name)' is abstract and has no rows of its own",
          help: concrete.isEmpty
            ? [] : ["name one of: \(concrete.joined(separator: ", "))"])
      ]
    }
  }
}
