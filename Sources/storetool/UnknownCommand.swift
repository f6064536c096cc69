import ArgumentParser
import StoreDiagnostics

/// A word where the name of a command stands. The parser calls it an unexpected argument, and shows the help of
/// what stands before it as if that was asked for.
struct UnknownCommand: Error, Hashable {
  /// With the commands before it: `model chek`.
  let name: String
  private let word: String
  private let known: [String]

  /// Nil where the words begin with a command.
  ///
  /// - Parameter isHelp: whether only names of commands may follow.
  init?(in words: ArraySlice<String>, isHelp: Bool = false) {
    let (command, rest) = Storetool.spelled(by: words)
    guard let word = rest.first, !word.hasPrefix("-") else { return nil }
    let configuration = command.configuration
    guard isHelp || !configuration.subcommands.isEmpty && configuration.defaultSubcommand == nil
    else { return nil }
    let isFirst = rest.startIndex == words.startIndex
    guard !isFirst || isHelp || word != Storetool.helpName else { return nil }
    self.word = word
    name = (words[..<rest.startIndex] + [word]).joined(separator: " ")
    known =
      configuration.subcommands.compactMap { $0.configuration.commandName }
      + (isFirst ? [Storetool.helpName] : [])
  }
}

extension UnknownCommand: DiagnosableError {
  var diagnostics: [Diagnostic] {
    [
      Diagnostic(.error, "usage", "there is no command '\(name)'", cause: .usage)
        .didYouMean(word, among: known)
    ]
  }
}
