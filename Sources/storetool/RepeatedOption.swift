import ArgumentParser
import StoreDiagnostics

/// The error for an option that is specified several times, but accepts only one value. The parser would use the last
/// value without an error.
struct RepeatedOption: Error, Hashable {
  /// The name in the help, such as `--limit`, even if the user wrote another name of the option.
  var name: String
  var values: [String]

  /// The options that can be repeated in every command that has them. Other options, such as `--entity`, can be
  /// repeated in some commands only.
  static let joined = ["--where", "--sort", "--select", "--group-by", "--map", "--via"]

  /// - Throws: `RepeatedOption` for the first option that is repeated but accepts only one value, or a `DecodingError`
  ///   if the parser's description of the command can't be read.
  static func check(_ words: ArraySlice<String>) throws {
    guard mayRepeat(words) else { return }
    let options = try CommandOptions(of: CommandRow.named(by: words).command)
    for (option, values) in options.values(in: words)
    where values.count > 1 && !joined.contains(option) && !options.takesSeveral(option) {
      throw RepeatedOption(name: option, values: values)
    }
  }

  /// Returns whether the arguments may contain an option twice. This only compares names, because the parser's
  /// description of the options takes longer than a short command.
  private static func mayRepeat(_ words: ArraySlice<String>) -> Bool {
    var names: Set<Substring> = []
    for word in words where word.hasPrefix("-") {
      let name = word.prefix { $0 != "=" }
      // If the name is a short one, the arguments may also contain the long name of the same option.
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
