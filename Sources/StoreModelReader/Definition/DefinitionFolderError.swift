package import StoreDiagnostics
import StoreModel

/// Why the name of a file is not that of a migration.
package enum DefinitionFolderError: Error, Hashable, Sendable {
  case noVersions(file: FilePath)
  /// - Parameter beside: the other one that it names.
  case unknownVersion(String, beside: String, file: FilePath, ModelBundle)
  case sameVersion(String, file: FilePath)
  /// Two files between the same versions.
  case twice(FilePath, FilePath, String, String)
}

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

/// A file among the migrations that can't be used, and which migrations it is for.
package struct UnusableDefinition: Hashable, Sendable {
  package enum Subject: Hashable, Sendable {
    /// Between these versions it can't be read, or is the second one.
    case jump(from: String, to: String)
    /// It begins or ends at this version; the other one is not there.
    case version(String)
    /// Nothing that can be read says it.
    case unknown
  }

  package let subject: Subject
  package let diagnostics: [Diagnostic]

  init(_ error: any DiagnosableError, of bundle: ModelBundle) {
    diagnostics = error.diagnostics
    switch error as? DefinitionFolderError {
    case .twice(_, _, let from, let to): subject = .jump(from: from, to: to)
    case .unknownVersion(_, let other, _, _):
      subject = bundle.hasVersion(named: other) ? .version(other) : .unknown
    case .noVersions, .sameVersion, nil: subject = .unknown
    }
  }

  init(_ error: any DiagnosableError, between from: String, _ to: String) {
    diagnostics = error.diagnostics
    subject = .jump(from: from, to: to)
  }

  /// For a migration that it is not for.
  package var warnings: [Diagnostic] {
    diagnostics.map { diagnostic in
      var warning = diagnostic
      warning.severity = .warning
      return warning
    }
  }
}
