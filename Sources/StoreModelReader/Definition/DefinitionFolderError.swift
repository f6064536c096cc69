package import StoreDiagnostics
import StoreModel

/// An error in the versions that a migration file specifies.
package enum DefinitionFolderError: DiagnosableError, Hashable {
  case noVersions(file: LocalPath)
  /// - Parameter beside: The other version that the file specifies.
  case unknownVersion(String, beside: String, file: LocalPath, ModelBundle)
  case sameVersion(String, file: LocalPath)
  /// Two files migrate between the same versions.
  case twice(LocalPath, LocalPath, String, String)

  package var diagnostics: [DiagnosticMessage] { [diagnostic] }

  private var diagnostic: DiagnosticMessage {
    switch self {
    case .noVersions(let file):
      DiagnosticMessage(
        .error, "migration.file-name", "the name of '\(file)' doesn't contain two versions"
      ).helping("name it FROM--TO.xml after the versions, such as 'Shop 2--Shop 3.xml'")
    case .unknownVersion(let name, _, let file, let bundle):
      DiagnosticMessage(
        .error, "migration.unknown-version",
        "'\(file)' refers to the version '\(name)', which '\(bundle.name)' doesn't have"
      ).didYouMean(name, among: bundle.versions.map(\.name), elseListing: "its versions are")
    case .sameVersion(let name, let file):
      DiagnosticMessage(
        .error, "migration.same-version", "'\(file)' migrates '\(name)' to itself")
    case .twice(let file, let other, let from, let to):
      DiagnosticMessage(
        .error, "migration.twice", "'\(file)' and '\(other)' both migrate '\(from)' to '\(to)'"
      ).helping("remove one of them")
    }
  }
}

/// A migration file that can't be used, with the migrations that it concerns.
package struct UnusableDefinition: Hashable, Sendable {
  package enum Subject: Hashable, Sendable {
    /// The file specifies these versions, but it is invalid or is the second file for them.
    case jump(from: String, to: String)
    /// The file is for migrations from or to this version. The other version that it specifies doesn't exist.
    case version(String)
    /// The versions of the file are unknown or the same.
    case unknown
  }

  package let subject: Subject
  package let diagnostics: [DiagnosticMessage]

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

  /// The errors with the severity of warnings, for migrations that don't require the file.
  package var warnings: [DiagnosticMessage] {
    diagnostics.map { diagnostic in
      var warning = diagnostic
      warning.severity = .warning
      return warning
    }
  }
}
