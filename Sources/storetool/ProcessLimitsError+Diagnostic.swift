import StoreDiagnostics

extension ProcessLimitsError: DiagnosableError {
  var diagnostics: [Diagnostic] {
    switch self {
    case .tooFewFiles(let count):
      [
        Diagnostic(
          .error, "system.open-files",
          "only \(count) more files can be opened, and a command may need \(ProcessLimits.neededFiles)",
          cause: .inputOutput
        ).helping("raise the limit of open files: ulimit -n 256")
      ]
    case .tooLittleMemory:
      [
        Diagnostic(
          .error, "system.memory",
          "there is no room for \(ProcessLimits.neededMemory / 1_000_000) MB more of memory",
          cause: .inputOutput
        ).helping(Self.memoryHelp)
      ]
    case .noArguments:
      [
        Diagnostic(
          .error, "system.no-arguments", "the words of the command can't be read",
          cause: .inputOutput
        ).helping("on Linux they are read from /proc, which has to be mounted")
      ]
    }
  }

  /// The shell of macOS has no limit of address space.
  private static var memoryHelp: String {
    #if os(Linux)
      "raise the limit of address space: ulimit -v 400000"
    #else
      "end other programs"
    #endif
  }
}
