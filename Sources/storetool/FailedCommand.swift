import RecordFormats
import ArgumentParser
import StoreDiagnostics

/// How a command ends that did not run through: what is printed where, and with which status.
struct FailedCommand {
  private let error: any Error
  /// The command's.
  private let words: ArraySlice<String>

  init(_ error: any Error) {
    if let error = error as? ParsingError {
      (self.error, words) = (error.error, error.words[...])
    } else {
      (self.error, words) = (error, ArgumentText.all[...])
    }
  }

  /// Prints and leaves the process.
  func leave() -> Never {
    Terminal.exit(report().status)
  }

  /// Prints what is to be said.
  ///
  /// - Returns: the status, and the first error.
  func report() -> (status: ExitStatus, first: Diagnostic?) {
    switch error {
    case let status as CheckFound:
      return (status.status, nil)
    case is OutputClosed:
      // `| head` has what it wanted.
      return (.done, nil)
    case let known as any DiagnosableError:
      let diagnostics = known.diagnostics
      Terminal.report(diagnostics)
      let first = diagnostics.first { $0.severity == .error }
      return (ExitStatus(first?.cause ?? .bug), first)
    default:
      return reportOfParser()
    }
  }

  /// Help, version and wrong usage are the argument parser's to word.
  private func reportOfParser() -> (status: ExitStatus, first: Diagnostic?) {
    let code = Storetool.exitCode(for: error)
    switch code {
    case .success:
      let text = CompletionScript.completed(Storetool.fullMessage(for: error), for: words)
      do {
        try OutputFile.standard.write(text + "\n")
      } catch {
        return FailedCommand(error).report()
      }
      return (.done, nil)
    case .validationFailure:
      return (.usage, reportUsage())
    default:
      let bug = Diagnostic(.error, "bug", "unexpected error: \(error)", cause: .bug)
        .helping("this is a bug in storetool; please report it with the command that led here")
      Terminal.report([bug])
      return (.bug, bug)
    }
  }
}

extension FailedCommand {
  /// What is wrong with the call, and how the command is called.
  private func reportUsage() -> Diagnostic? {
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
    return diagnostics.first
  }
}

/// The words of a command that another command runs don't parse. The message shows these words.
struct ParsingError: Error {
  let error: any Error
  let words: [String]
}
