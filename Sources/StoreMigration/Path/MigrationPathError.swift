package import StoreDiagnostics

/// Why there is no way between two versions.
package enum MigrationPathError: Error, Hashable, Sendable {
  case unknownVersion(String, known: [String])
  /// One definition begins in the middle of the other one's way and leads beyond its end.
  case overlap(MigrationPath.Jump, MigrationPath.Jump)
}

extension MigrationPathError: DiagnosableError {
  package var diagnostics: [Diagnostic] {
    switch self {
    case .unknownVersion(let name, let known):
      [
        Diagnostic(
          .error, "migrate.unknown-version", "the model has no version '\(name)'", cause: .notFound
        ).didYouMean(name, among: known, elseListing: "it has")
      ]
    case .overlap(let one, let other):
      [
        Diagnostic(
          .error, "migrate.overlap",
          "the definitions \(one.text) and \(other.text) overlap, so that only one of them could run"
        ).helping("write one from '\(one.from)' to '\(other.to)', or split them at '\(other.from)'")
      ]
    }
  }
}

extension MigrationPath.Jump {
  /// `'Todo' → 'Todo 2'`
  package var text: String { "'\(from)' → '\(to)'" }
}
