package import StoreDiagnostics

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
