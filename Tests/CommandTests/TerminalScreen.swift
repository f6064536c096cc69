import Foundation
import TestSupport
import Testing

/// A terminal of tmux with its own server, in which lines of bash run.
final class TerminalScreen {
  /// Whether there is one; a machine without it skips what needs it.
  static let isHere = ["/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"].contains {
    FileManager.default.isExecutableFile(atPath: "\($0)/tmux")
  }
  static let absence: Comment = "tmux is not here; Scripts/setup.sh installs it"

  /// Kept, as the socket is in its folder.
  private let samples: SampleFolder

  /// - Parameters:
  ///   - line: what runs in it.
  ///   - environment: `NO_COLOR` for what is to have no colors; none is inherited.
  init(
    _ width: Int, _ height: Int, in samples: SampleFolder, running line: String,
    environment: [String: String] = [:]
  ) throws {
    self.samples = samples
    let settings = ["NO_COLOR": ""].merging(environment) { $1 }
      .map { "-e '\($0.key)=\($0.value)'" }.sorted().joined(separator: " ")
    // It stays a while when the line has ended; with it the server goes.
    let script = "{ \(line)\n}; printf '\\n\(Self.end)'; sleep 60"
    _ = try tmux(
      "new-session -d \(settings) -x \(width) -y \(height) \(Self.quoted(script))")
  }

  /// The server has inherited that no signal reaches it but this one.
  deinit { _ = try? samples.shell.run("kill -9 $(tmux -S terminal display-message -p '#{pid}')") }

  /// What the screen shows once the line has ended: each line without the blanks at its end.
  func text() throws -> String {
    let text = try text { $0.contains(Self.end) }
    return String(text[..<(text.range(of: "\n" + Self.end)?.lowerBound ?? text.endIndex)]) + "\n"
  }

  /// What it shows as soon as that is what is waited for.
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
    // The server stays, and with what it inherits Foundation would take the shell for one that still runs.
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

  /// Colors by name, from character to character: versions of tmux say in several ways where they change.
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
