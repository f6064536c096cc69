package import StoreDiagnostics

extension CompiledModelError: DiagnosableError {
  package var diagnostics: [Diagnostic] {
    let diagnostic = Diagnostic(
      .error, "model.compiled-damaged",
      "the compiled model '\(model)' can't be read: \(fault.reason)")
    return [
      diagnostic.helping(
        "see whether the file is whole, or use the model that it was compiled from")
    ]
  }
}
