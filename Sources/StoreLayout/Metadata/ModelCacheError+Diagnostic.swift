package import StoreDiagnostics

extension ModelCacheError: DiagnosableError {
  package var diagnostics: [Diagnostic] {
    [
      Diagnostic(
        .error, "model.cache", "the model that a store carries can't be read or made: \(reason)",
        cause: self == .outOfMemory ? .inputOutput : .invalid)
    ]
  }
}
