import ArgumentParser
import StoreDiagnostics

/// The check for options that are specified several times, but accept only one value. The parser would use the last
/// value without an error.
enum RepeatedOption {
  /// The options that can be repeated in every command that has them. Other options, such as `--entity`, can be
  /// repeated in some commands only.
  static let joined = ["--where", "--sort", "--select", "--group-by", "--map", "--via"]

  /// - Throws: `DiagnosticError` for the first option that is repeated but accepts only one value, or a `DecodingError`
  ///   if the parser's description of the command can't be read.
  static func check(_ words: ArraySlice<String>) throws {
    guard mayRepeat(words) else { return }
    let options = try CommandOptions(of: CommandRow.named(by: words).command)
    let given = options.given(in: words).filter { options.takes($0.name) }
    for option in given.map(\.name) where !joined.contains(option) && !options.takesSeveral(option)
    {
      let values = given.filter { $0.name == option }.map(\.value)
      guard values.count > 1 else { continue }
      let times = values.count == 2 ? "twice" : "\(values.count) times"
      let given = values.map { "'\($0)'" }.joined(separator: ", then ")
      throw DiagnosticError(
        "usage", "\(option) is specified \(times): \(given)", cause: .usage,
        help: ["it accepts only one value"])
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
