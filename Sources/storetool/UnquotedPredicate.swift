import StoreDiagnostics
import StorePredicate

/// The check for a predicate without quotation marks, which the shell has split: `--where name == Ray`. The parser
/// would use `name` as the whole predicate, and report `==` as an unexpected argument.
enum UnquotedPredicate {
  private static let options = ["--where", "--having"]
  private static let operators =
    Set(FormatComparison.Operator.allCases.map(\.rawValue)).union([
      "=", "<>", "=<", "=>", "&&", "||",
    ])

  /// - Throws: `DiagnosticError` if one word and an operator follow `--where` or `--having`.
  static func check(_ words: ArraySlice<String>) throws {
    for (index, word) in zip(words.indices, words) {
      guard word != "--" else { return }
      let rest = words[(index + 1)...]
      guard options.contains(word), let first = rest.first, !first.contains(" "),
        let second = rest.dropFirst().first, operators.contains(second.uppercased())
      else { continue }
      let given = rest.prefix { !$0.hasPrefix("--") }
      throw DiagnosticError(
        "usage",
        "\(word) requires one argument, but there are \(given.count): "
          + given.map { "'\($0)'" }.joined(separator: ", "), cause: .usage,
        help: [.text("quote the predicate: \(word) '\(predicate(given))'")])
    }
  }

  /// Returns the intended predicate. The text after the operator becomes a string unless it is a number or a keyword,
  /// or begins with a quotation mark, `$`, `{` or `(`.
  private static func predicate(_ words: ArraySlice<String>) -> String {
    let value = words.dropFirst(2).joined(separator: " ")
    let isText =
      !value.isEmpty && Double(value) == nil && !values.contains(value.uppercased())
      && !["\"", "'", "$", "{", "("].contains { value.hasPrefix($0) }
    return (words.prefix(2) + [isText ? "\"\(value)\"" : value]).joined(separator: " ")
  }

  private static let values: Set = ["YES", "NO", "TRUE", "FALSE", "NIL", "NULL"]
}
