import StoreDiagnostics

/// A mistake in a model, or in what is said about it, as data, that can explain itself.
///
/// What leaves the model's meaning open is an error: unreadable text, unknown and duplicate names,
/// cycles. What real apps ship all the same is a warning.
protocol ModelIssue {
  /// The explanation, still without its place.
  var diagnostic: Diagnostic { get }
}

extension ModelIssue {
  func error(_ code: String, _ message: String) -> Diagnostic {
    Diagnostic(.error, "model.\(code)", message)
  }

  func warning(_ code: String, _ message: String) -> Diagnostic {
    Diagnostic(.warning, "model.\(code)", message)
  }
}
