import ArgumentParser
import StoreDiagnostics

/// An option that stands among a command's words more than once, though it takes one value. The parser would
/// take the last one without a word.
struct RepeatedOption: Error, Hashable {
  /// As it was written first: `--limit`.
  var name: String
  /// What it was given, in order.
  var values: [String]

  /// Those that may be repeated; every command that takes one gives it the same meaning.
  static let joined = ["--where", "--sort", "--select", "--group-by", "--map", "--via"]

  /// - Throws: `RepeatedOption` for the first one among the words of a command line; what the parser throws
  ///   where it can't describe a command.
  static func check(_ words: ArraySlice<String>) throws {
    guard mayRepeat(words) else { return }
    let options = try CommandOptions(of: CommandRow.named(by: words).command)
    for (option, values) in options.values(in: words)
    where values.count > 1 && !joined.contains(option) && !options.takesSeveral(option) {
      throw RepeatedOption(name: option, values: values)
    }
  }

  /// Whether it is worth to ask the parser what the options are, which takes longer than a short command.
  private static func mayRepeat(_ words: ArraySlice<String>) -> Bool {
    var names: Set<Substring> = []
    for word in words where word.hasPrefix("-") {
      let name = word.prefix { $0 != "=" }
      // A short name may be another one of a long name that is there.
      if name.count == 2 && name != "--" || !names.insert(name).inserted { return true }
    }
    return false
  }
}

extension RepeatedOption: DiagnosableError {
  var diagnostics: [Diagnostic] {
    let times = values.count == 2 ? "twice" : "\(values.count) times"
    let given = values.map { "'\($0)'" }.joined(separator: ", then ")
    return [
      Diagnostic(
        .error, "usage", "\(name) is specified \(times): \(given)", cause: .usage,
        help: [
          "it accepts one value",
          "only \(Self.joined.joined(separator: ", ")) can be repeated",
        ])
    ]
  }
}
