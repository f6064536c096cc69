import RecordFormats
import StoreDiagnostics

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The process's three streams.
enum Terminal {
  /// A stream that is written at once, without a buffer of its own.
  struct Stream: Sendable {
    let file: OpenFile

    var isTerminal: Bool { isatty(file.descriptor) == 1 }

    /// Color on a terminal only, and not where `NO_COLOR` is set.
    var wantsColor: Bool {
      isTerminal && (ProcessInfo.processInfo.environment["NO_COLOR"] ?? "").isEmpty
    }

    /// In cells and lines; nil for what is not a terminal, or does not say.
    var size: (columns: Int, lines: Int)? {
      guard isTerminal else { return nil }
      var size = winsize()
      guard ioctl(file.descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
        return nil
      }
      return (Int(size.ws_col), Int(size.ws_row))
    }

    /// Writes text for people, or, on standard output, for a script: it gets control characters as they
    /// are, a terminal and standard error show them.
    func write(_ text: String) {
      if isErrors, Terminal.reportsJSON {
        return Terminal.report(
          text.split(separator: "\n").map { Diagnostic(.note, "summary", String($0)) })
      }
      show(text)
    }

    private var isErrors: Bool { file.descriptor == STDERR_FILENO }

    fileprivate func show(_ text: String) {
      let isForPeople = isErrors || isTerminal
      send(
        isForPeople ? ControlCharacters.escaped(in: text, keeping: ["\n", "\t"]) : text)
    }

    /// Writes what may command a terminal: colors, progress. A reader that has gone is not an error of ours:
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

  /// Whether diagnostics are objects for a program, and so is all else that is said beside the result.
  static let reportsJSON = ReportFormat.isJSON(in: ArgumentText.all[...])

  /// Prints diagnostics on standard error.
  static func report(_ diagnostics: [Diagnostic]) {
    guard !diagnostics.isEmpty else { return }
    if reportsJSON {
      let lines = diagnostics.map { "\($0.report)\n" }.joined()
      return err.isTerminal ? err.show(lines) : err.send(lines)
    }
    let renderer = DiagnosticRenderer(
      color: err.wantsColor, width: err.size?.columns, wording: CommandWording())
    err.send(diagnostics.map(renderer.render).joined())
  }

  /// A note beside the result.
  static func note(_ message: String, code: String) {
    report([Diagnostic(.note, code, message)])
  }

  /// Nothing more appears on standard error.
  static func silenceErrors() {
    do throws(SystemError) {
      try OpenFile("/dev/null", O_WRONLY).replace(.standardError)
    } catch {
      // Standard error stays as it is.
    }
  }

  /// Says what a table had no room for: what is not seen must not be missed.
  static func noteLeftOut(of style: RowStyle) {
    guard let names = style.fit?.leftOut.names, !names.isEmpty else { return }
    report([
      Diagnostic(
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
