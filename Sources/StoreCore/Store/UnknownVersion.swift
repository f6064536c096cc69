package import StoreDiagnostics
package import StoreLayout

/// A store of no model version at hand, with the versions that could not be looked at; where none could,
/// their mistakes alone.
package struct UnknownVersion: DiagnosableError {
  package let diagnostics: [Diagnostic]
  /// Nil where no version could be looked at.
  package let verdict: VersionGap.Verdict?

  package init(_ store: Store, _ matcher: VersionMatcher) {
    guard !matcher.readNothing else {
      (diagnostics, verdict) = (matcher.unreadable, nil)
      return
    }
    guard case .unknown(let gap) = store.version(among: matcher.candidates) else {
      (diagnostics, verdict) = ([], nil)
      return
    }
    verdict = gap.verdict
    let error = StoreLayoutError.unknownVersion(path: store.path, gap)
    diagnostics = error.diagnostics + matcher.unreadableNotes
  }

  private init(_ diagnostics: [Diagnostic], _ verdict: VersionGap.Verdict?) {
    self.diagnostics = diagnostics
    self.verdict = verdict
  }

  /// With one more thing to do about it.
  package func helping(_ sentence: String) -> UnknownVersion {
    guard let first = diagnostics.first else { return self }
    return UnknownVersion([first.helping(sentence)] + diagnostics.dropFirst(), verdict)
  }

  /// - Parameter warning: why the model that the store carries is no help.
  package func adding(_ warning: Diagnostic) -> UnknownVersion {
    UnknownVersion([warning] + diagnostics, verdict)
  }
}
