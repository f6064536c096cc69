import ArgumentParser
import StoreDiagnostics

/// The error for an option that is specified several times, but has only one value. The parser would use the last value
/// without an error.
struct RepeatedOption: Error, Hashable {
  /// The name as it was first written: `--limit`.
  var name: String
  /// The values in order.
  var values: [String]

  /// The options that can be repeated in each command that has them.
  static let joined = ["--where", "--sort", "--select", "--group-by", "--map", "--via"]

  /// - Throws: `RepeatedOption` for the first repeated option, or an error of the parser if it can't describe the
  ///   command.
  static func check(_ words: ArraySlice<String>) throws {
    guard mayRepeat(words) else { return }
    let options = try CommandOptions(of: CommandRow.named(by: words).command)
    for (option, values) in options.values(in: words)
    where values.count > 1 && !joined.contains(option) && !options.takesSeveral(option) {
      throw RepeatedOption(name: option, values: values)
    }
  }

  /// Returns false if the arguments certainly don't repeat an option. This check is fast. Asking the parser for the
  /// options takes longer than a short command.
  private static func mayRepeat(_ words: ArraySlice<String>) -> Bool {
    var names: Set<Substring> = []
    for word in words where word.hasPrefix("-") {
      let name = word.prefix { $0 != "=" }
      // A short name may be an alias of a long name in the arguments.
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
        help: ["it accepts only one value"])
    ]
  }
}
