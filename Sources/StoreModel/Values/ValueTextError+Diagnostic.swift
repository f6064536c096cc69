public import StoreDiagnostics

extension ValueTextError: DiagnosableError {
  public var diagnostics: [Diagnostic] { [diagnostic(for: nil)] }

  /// - Parameter key: the attribute or variable that the text was meant for.
  public func diagnostic(for key: String?) -> Diagnostic {
    let subject = key.map { " for '\($0)'" } ?? ""
    let error = Diagnostic(
      .error, "value.wrong-type", "'\(text)' is not \(type.name.withArticle)\(subject)")
    return type.form.map { error.helping("write it as \($0)") } ?? error
  }
}
