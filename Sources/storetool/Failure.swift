import RecordFormats
import ArgumentParser
import StoreDiagnostics

/// How a command ends that did not run through: what is printed where, and with which status.
struct Failure {
  private let error: any Error

  init(_ error: any Error) {
    self.error = error
  }

  /// Prints and leaves the process.
  func leave() -> Never {
    switch error {
    case let status as CheckFound:
      Terminal.exit(status.status)
    case is OutputClosed:
      // `| head` has what it wanted.
      Terminal.exit(.done)
    case let known as any DiagnosableError:
      let diagnostics = known.diagnostics
      Terminal.report(diagnostics)
      let first = diagnostics.first { $0.severity == .error }
      Terminal.exit(ExitStatus(first?.cause ?? .bug))
    default:
      leaveForParser()
    }
  }

  /// Help, version and wrong usage are the argument parser's to word.
  private func leaveForParser() -> Never {
    let code = Storetool.exitCode(for: error)
    switch code {
    case .success:
      let text = CompletionScript.completed(
        Storetool.fullMessage(for: error), for: CommandLine.arguments.dropFirst())
      Terminal.out.write(text + "\n")
      Terminal.exit(.done)
    case .validationFailure:
      reportUsage()
      Terminal.exit(.usage)
    default:
      Terminal.report([
        Diagnostic(.error, "bug", "unexpected error: \(error)", cause: .bug)
          .helping("this is a bug in storetool; please report it with the command that led here")
      ])
      Terminal.exit(.bug)
    }
  }
}

extension Failure {
  /// What is wrong with the call, and how the command is called.
  private func reportUsage() {
    let words = CommandLine.arguments.dropFirst()
    var diagnostics =
      UnknownCommand(in: words)?.diagnostics
      ?? [UsageError(Storetool.message(for: error), in: words).diagnostic]
    let usage = Storetool.fullMessage(for: error).split(separator: "\n")
      .drop { !$0.hasPrefix("Usage:") }
    if Terminal.reportsJSON {
      for line in usage {
        diagnostics[0] = diagnostics[0].helping(String(line.drop { $0 == " " }))
      }
    }
    Terminal.report(diagnostics)
    if !Terminal.reportsJSON { Terminal.err.write(usage.map { "  \($0)\n" }.joined()) }
  }
}

/// Thrown by a checking command that has printed its findings.
struct CheckFound: Error {
  let status = ExitStatus.found
}
