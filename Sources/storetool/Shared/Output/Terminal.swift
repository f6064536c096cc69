import RecordFormats
import StoreDiagnostics

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The standard streams of the process.
enum Terminal {
  /// An unbuffered stream.
  struct Stream: Sendable {
    let file: OpenFile

    var isTerminal: Bool { isatty(file.descriptor) == 1 }

    /// Whether to use colors: only on a terminal, and not if `NO_COLOR` is set.
    var wantsColor: Bool {
      isTerminal && Workspace.environment("NO_COLOR") == nil
    }

    /// The size in columns and lines; nil if it is unknown or the stream isn't a terminal.
    var size: (columns: Int, lines: Int)? {
      guard isTerminal else { return nil }
      var size = winsize()
      guard ioctl(file.descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
        return nil
      }
      return (Int(size.ws_col), Int(size.ws_row))
    }

    /// Writes text. If diagnostics are JSON objects, each line to standard error becomes a note.
    ///
    /// On a terminal and on standard error, control characters except newlines and tabs are replaced by visible text.
    /// Scripts that read standard output receive them unchanged.
    func write(_ text: String) {
      if isErrors, Terminal.reportsJSON {
        return Terminal.report(
          text.split(separator: "\n").map { DiagnosticMessage(.note, "summary", String($0)) })
      }
      show(text)
    }

    private var isErrors: Bool { file.descriptor == STDERR_FILENO }

    fileprivate func show(_ text: String) {
      let isForPeople = isErrors || isTerminal
      send(
        isForPeople ? ControlCharacters.escaped(in: text, keeping: ["\n", "\t"]) : text)
    }

    /// Writes text, including control characters for colors and progress, unchanged. If the stream can't be written,
    /// the text is dropped.
    func send(_ text: String) {
      do throws(SystemError) {
        try file.write(Array(text.utf8))
      } catch {
        // There is no other stream for a message.
      }
    }
  }

  static let out = Stream(file: .standardOutput)
  static let err = Stream(file: .standardError)

  /// Whether diagnostics and all other messages on standard error are JSON objects.
  static let reportsJSON = ReportFormat.isJSON(in: ArgumentText.all[...])

  /// Prints diagnostics on standard error.
  static func report(_ diagnostics: [DiagnosticMessage]) {
    guard !diagnostics.isEmpty else { return }
    if reportsJSON {
      let lines = diagnostics.map { "\($0.report)\n" }.joined()
      return err.isTerminal ? err.show(lines) : err.send(lines)
    }
    let renderer = DiagnosticRenderer(
      color: err.wantsColor, width: err.size?.columns, wording: CommandWording())
    err.send(diagnostics.map(renderer.render).joined())
  }

  static func note(_ message: String, code: String) {
    report([DiagnosticMessage(.note, code, message)])
  }

  /// Discards all further output to standard error.
  static func silenceErrors() {
    do throws(SystemError) {
      try OpenFile("/dev/null", O_WRONLY).replace(.standardError)
    } catch {
      // Standard error stays open.
    }
  }

  /// Prints a note about the columns that a table has omitted because the terminal is too narrow.
  static func noteLeftOut(of style: RowStyle) {
    guard let names = style.fit?.leftOut.names, !names.isEmpty else { return }
    report([
      DiagnosticMessage(
        .note, "output.left-out-columns",
        "\(names.count) \("column".plural(names.count)) omitted, because the terminal is too narrow: "
          + names.joined(separator: ", ")
      ).helping("--format vertical shows all columns, --full prints complete lines")
    ])
  }

  static func exit(_ status: ExitStatus) -> Never {
    systemExit(status.rawValue)
  }
}

private func systemExit(_ status: Int32) -> Never {
  exit(status)
}
