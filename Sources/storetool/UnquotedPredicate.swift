import StoreDiagnostics
import StorePredicate

/// The error for a predicate without quotation marks, which the shell has split: `--where name == Ray`. The parser
/// would use `name` as the whole predicate, and report `==` as an unexpected argument.
struct UnquotedPredicate: Error, Hashable {
  let option: String
  /// The arguments after the option, up to the next argument that begins with `--`.
  let words: [String]

  private static let options = ["--where", "--having"]
  private static let operators =
    Set(Comparison.Operator.allCases.map(\.rawValue)).union(["=", "<>", "=<", "=>", "&&", "||"])

  /// - Throws: `UnquotedPredicate` if one word and an operator follow `--where` or `--having`.
  static func check(_ words: ArraySlice<String>) throws(UnquotedPredicate) {
    for (index, word) in zip(words.indices, words) {
      guard word != "--" else { return }
      let rest = words[(index + 1)...]
      guard options.contains(word), let first = rest.first, !first.contains(" "),
        let second = rest.dropFirst().first, operators.contains(second.uppercased())
      else { continue }
      throw UnquotedPredicate(
        option: word, words: Array(rest.prefix { !$0.hasPrefix("--") }))
    }
  }

  /// The intended predicate. The text after the operator becomes a string unless it is a number or a keyword, or begins
  /// with a quotation mark, `$`, `{` or `(`.
  private var predicate: String {
    let value = words.dropFirst(2).joined(separator: " ")
    let isText =
      !value.isEmpty && Double(value) == nil && !Self.values.contains(value.uppercased())
      && !["\"", "'", "$", "{", "("].contains { value.hasPrefix($0) }
    return (words.prefix(2) + [isText ? "\"\(value)\"" : value]).joined(separator: " ")
  }

  private static let values: Set = ["YES", "NO", "TRUE", "FALSE", "NIL", "NULL"]
}

extension UnquotedPredicate: DiagnosableError {
  var diagnostics: [Diagnostic] {
    [
      Diagnostic(
        .error, "usage",
        "\(option) requires one argument, but there are \(words.count): "
          + words.map { "'\($0)'" }.joined(separator: ", "), cause: .usage,
        help: ["quote the predicate: \(option) '\(predicate)'"])
    ]
  }
}
