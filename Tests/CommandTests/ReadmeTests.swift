import Foundation
import TestSupport
import Testing

/// The `console` blocks of the README, followed by the blocks of the tour, are one session in a folder with the
/// project's `Models/` and `Migrations/`. Each `$` line is followed by its output, including errors. UUIDs of stores
/// are written as STORE.
struct ReadmeTests {
  @Test func showsWhatTheCommandsPrint() throws {
    let folder = try TemporaryFolder()
    for name in ["Models", "Migrations"] {
      try FileManager.default.copyItem(
        at: BuiltCommand.repository.appendingPathComponent(name),
        to: folder.url.appendingPathComponent(name))
    }
    let shell = BuiltCommand(in: folder.url)
    for page in ["README.md", "docs/tour.md"] { try check(page, in: shell) }
  }

  private func check(_ page: String, in shell: BuiltCommand) throws {
    let file = BuiltCommand.repository.appendingPathComponent(page)
    let expected = try String(contentsOf: file, encoding: .utf8)
    let actual = try replay(expected, in: shell)
    guard actual != expected else { return }
    if ProcessInfo.processInfo.environment["GOLDEN"] == "record" {
      try actual.write(to: file, atomically: true, encoding: .utf8)
    }
    Issue.record("\(page):\n\(Golden.lineDifference(from: expected, to: actual))")
  }

  private func replay(_ page: String, in shell: BuiltCommand) throws -> String {
    var lines: [String] = []
    var isConsole = false
    for line in page.components(separatedBy: "\n") {
      if line.hasPrefix("```") { isConsole = line == "```console" }
      if isConsole, line.hasPrefix("$ ") {
        // An empty line separates commands within a block.
        if let last = lines.last, !last.hasPrefix("```") { lines.append("") }
        lines.append(line)
        lines += try output(of: String(line.dropFirst(2)), in: shell)
      } else if !isConsole || line.hasPrefix("```") {
        lines.append(line)
      }
    }
    return lines.joined(separator: "\n")
  }

  private func output(of command: String, in shell: BuiltCommand) throws -> [String] {
    let text = try shell.run("exec 2>&1; \(command)").output
      .replacingOccurrences(
        of: "x-coredata://[0-9A-F-]{36}", with: "x-coredata://STORE", options: .regularExpression)
    return text.isEmpty ? [] : text.trimmingCharacters(in: .newlines).components(separatedBy: "\n")
  }
}
