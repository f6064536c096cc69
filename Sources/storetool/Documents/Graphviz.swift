import StoreDiagnostics

/// The program `dot` of Graphviz, which lays out pictures.
enum Graphviz {
  /// Nil where it is not installed.
  ///
  /// - Throws: `GraphvizError`
  static func svg(of text: String) throws(GraphvizError) -> String? {
    let outcome: Subprocess.Outcome
    do {
      outcome = try Subprocess.run(["dot", "-Tsvg"], input: text)
    } catch {
      switch error {
      case .notFound: return nil
      case .failed(_, let reason): throw .notStarted(reason: reason)
      }
    }
    guard outcome.status == 0 else {
      throw .failed(status: outcome.status, message: outcome.errors)
    }
    return outcome.text
  }
}

/// Why there is no picture.
enum GraphvizError: DiagnosableError, Hashable {
  case notStarted(reason: String)
  case failed(status: Int32, message: String)

  var diagnostics: [Diagnostic] {
    switch self {
    case .notStarted(let reason):
      [
        Diagnostic(
          .error, "diagram.graphviz", "Graphviz's 'dot' can't be started: \(reason)",
          cause: .inputOutput)
      ]
    case .failed(let status, let message):
      [
        Diagnostic(
          .error, "diagram.graphviz",
          "Graphviz's 'dot' ended with status \(status)", cause: .inputOutput,
          help: message.split(separator: "\n").prefix(5).map { "it says: \($0)" })
      ]
    }
  }
}
