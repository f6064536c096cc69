import StoreDiagnostics

/// The program `dot` of Graphviz, which lays out pictures.
enum Graphviz {
  /// - Throws: `GraphvizError`
  static func svg(of text: String) throws(GraphvizError) -> String {
    let outcome: Subprocess.Outcome
    do {
      outcome = try Subprocess.run(["dot", "-Tsvg"], input: text)
    } catch {
      switch error {
      case .notFound: throw .notInstalled
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
  /// And the model says nothing of where its entities are.
  case notInstalled
  case notStarted(reason: String)
  case failed(status: Int32, message: String)

  var diagnostics: [Diagnostic] {
    switch self {
    case .notInstalled:
      [
        Diagnostic(
          .error, "diagram.no-graphviz",
          """
          an SVG needs Graphviz's 'dot', which is not in PATH, since the model does not say where \
          its entities are drawn
          """, cause: .notFound,
          help: [
            "install it: apt-get install graphviz, dnf install graphviz or brew install graphviz",
            "--format mermaid and --format dot do without",
          ])
      ]
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
