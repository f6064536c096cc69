import Foundation
import Testing

/// A use of a tool that works on Linux. On macOS it fails, or its effect differs.
struct ToolForm: Sendable, CustomTestStringConvertible {
  /// A line of shell with the form.
  let name: String
  let reason: String
  /// A form with the same effect that works on both systems.
  let replacement: String
  /// A regular expression that finds the form in a line.
  let pattern: String
  /// A text in every line with the form, so that the regular expression reads few lines.
  let marker: String
  /// Files that may contain the form besides the Linux-only ones, with the reasons.
  let exceptions: [String: String]

  var testDescription: String { name }

  init(
    _ name: String, matching pattern: String, marker: String, because reason: String,
    use replacement: String, exceptions: [String: String] = [:]
  ) {
    self.name = name
    self.reason = reason
    self.replacement = replacement
    self.pattern = pattern
    self.marker = marker
    self.exceptions = exceptions
  }

  /// The text before the first word of a command: the start of the line or of an item in a list, an operator or a word
  /// like `do`, and after it assignments.
  private static let start =
    #"(?:^[\s#]*["']*\s*|[;&|({`!"'\[]\s*|\b(?:do|then|else|exec|sudo|time|command|if|while|until)\s+|"#
    + #"\benv\s+(?:-u\s+\w+\s+)*|\bxargs\s+(?:-\S+\s+)*)(?:\w+=\S*\s+)*"#

  /// Words of a command, up to one more; an operator in quotes doesn't end the command.
  private static let words = #"\s(?:(?:'[^']*'|"[^"]*"|[^|;&'"])*\s)?"#

  /// A command that macOS doesn't have.
  static func command(
    _ name: String, use replacement: String, exceptions: [String: String] = [:]
  ) -> ToolForm {
    ToolForm(
      name, matching: start + name + #"(?=[\s"';|&)]|$)"#, marker: name,
      because: "macOS has no such command", use: replacement, exceptions: exceptions)
  }

  /// An option, or an operand, of the tool that `name` begins with.
  ///
  /// - Parameter option: a regular expression of the option, which any words of the same command may precede.
  static func option(
    _ name: String, _ option: String, because reason: String = "macOS's tool has no such option",
    use replacement: String, exceptions: [String: String] = [:]
  ) -> ToolForm {
    let tool = String(name.prefix { $0 != " " })
    return ToolForm(
      name, matching: start + tool + words + option, marker: tool, because: reason,
      use: replacement, exceptions: exceptions)
  }

  /// Returns the uses in lines of shell text by file, each with its location and a remedy.
  func uses(in lines: [ShellLine]) throws -> [String: [String]] {
    let candidates = lines.filter { $0.contains(marker) && !$0.asksForTheSystem }
    guard !candidates.isEmpty else { return [:] }
    let expression = try NSRegularExpression(pattern: pattern)
    var found: [String: [String]] = [:]
    for line in candidates where expression.matchesPart(of: line.text) {
      let place = "\(line.path):\(line.number)"
      found[line.path, default: []].append("\(place): '\(name)': \(reason); use \(replacement)")
    }
    return found
  }
}
