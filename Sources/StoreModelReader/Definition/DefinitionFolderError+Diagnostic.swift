package import StoreDiagnostics

extension DefinitionFolderError: DiagnosableError {
  package var diagnostics: [Diagnostic] { [diagnostic] }

  private var diagnostic: Diagnostic {
    switch self {
    case .noVersions(let file):
      Diagnostic(
        .error, "migration.file-name", "'\(file)' does not say from which version to which"
      ).helping("name it FROM--TO.xml, after the versions: 'Shop 2--Shop 3.xml'")
    case .unknownVersion(let name, _, let file, let bundle):
      Diagnostic(
        .error, "migration.unknown-version",
        "'\(file)' names the version '\(name)', which '\(bundle.name)' does not have"
      ).didYouMean(name, among: bundle.versions.map(\.name), elseListing: "its versions are")
    case .sameVersion(let name, let file):
      Diagnostic(
        .error, "migration.same-version", "'\(file)' leads from '\(name)' to itself")
    case .twice(let file, let other, let from, let to):
      Diagnostic(
        .error, "migration.twice", "'\(file)' leads from '\(from)' to '\(to)', as '\(other)' does"
      ).helping("remove one of them")
    }
  }
}
