import Foundation
import TestSupport
import Testing

/// A terminal of tmux with its own server, in which lines of bash run.
final class TerminalScreen {
  /// Whether tmux is installed. Otherwise, the tests that require it are skipped.
  static let isHere = ["/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"].contains {
    FileManager.default.isExecutableFile(atPath: "\($0)/tmux")
  }
  static let absence: Comment = "tmux isn't installed; Scripts/setup.sh installs it"

  /// The socket is in this folder, so the folder is kept.
  private let samples: SampleFolder

  /// - Parameters:
  ///   - line: the line to run.
  ///   - environment: for example `NO_COLOR` for output without colors. Other variables aren't inherited.
  init(
    _ width: Int, _ height: Int, in samples: SampleFolder, running line: String,
    environment: [String: String] = [:]
  ) throws {
    self.samples = samples
    let settings = ["NO_COLOR": ""].merging(environment) { $1 }
      .map { "-e '\($0.key)=\($0.value)'" }.sorted().joined(separator: " ")
    // The session stays open for a minute after the line has ended. The server ends with it.
    let script = "{ \(line)\n}; printf '\\n\(Self.end)'; sleep 60"
    _ = try tmux(
      "new-session -d \(settings) -x \(width) -y \(height) \(Self.quoted(script))")
  }

  /// The server inherits a signal mask that blocks all signals except SIGKILL.
  deinit { _ = try? samples.shell.run("kill -9 $(tmux -S terminal display-message -p '#{pid}')") }

  /// Returns the text of the screen after the line has ended. Each line is without its trailing spaces.
  func text() throws -> String {
    let text = try text { $0.contains(Self.end) }
    return String(text[..<(text.range(of: "\n" + Self.end)?.lowerBound ?? text.endIndex)]) + "\n"
  }

  /// Returns the text of the screen as soon as it fulfills the condition.
  func text(once isShown: (String) -> Bool) throws -> String {
    for _ in 0..<600 {
      if isShown(try tmux("capture-pane -p")) { break }
      usleep(50_000)
    }
    return Self.readable(try tmux("capture-pane -e -p"))
  }

  func send(_ keys: String) throws { _ = try tmux("send-keys \(keys)") }

  func resize(_ width: Int, _ height: Int) throws {
    _ = try tmux("resize-window -x \(width) -y \(height)")
  }

  private static let end = "[end]"

  private func tmux(_ command: String) throws -> String {
    // The server keeps inherited descriptors open. Foundation would then treat the shell as still running.
    try samples.shell.run(
      """
      for file in /dev/fd/*; do
        [ "${file##*/}" -gt 2 ] && eval "exec ${file##*/}>&-"
      done 2> /dev/null
      LC_ALL=C.UTF-8 tmux -u -S terminal -f /dev/null \(command)
      """
    ).output
  }

  private static func quoted(_ text: String) -> String {
    "'\(text.replacingOccurrences(of: "'", with: "'\\''"))'"
  }

  /// Writes the names of colors into the text. Versions of tmux mark changes of color in different ways.
  private static func readable(_ text: String) -> String {
    var (result, style, open) = ("", "", "")
    var rest = text[...]
    while let character = rest.first {
      if rest.hasPrefix("\u{1B}["), let end = rest.firstIndex(of: "m") {
        for code in rest[..<end].dropFirst(2).split(
          separator: ";", omittingEmptySubsequences: false)
        {
          style = styles[String(code)] ?? ""
        }
        rest = rest[rest.index(after: end)...]
        continue
      }
      let wanted = character == "\n" ? "" : style
      if wanted != open {
        result += (open.isEmpty ? "" : "⟩") + (wanted.isEmpty ? "" : "⟨\(wanted) ")
        open = wanted
      }
      result.append(character)
      rest = rest.dropFirst()
    }
    return result
  }

  private static let styles = [
    "1": "bold", "2": "dim", "31": "red", "33": "yellow", "36": "cyan",
  ]
}
