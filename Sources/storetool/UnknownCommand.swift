import ArgumentParser
import StoreDiagnostics

/// A word where the name of a command stands. The parser calls it an unexpected argument, and shows the help of
/// what stands before it as if that was asked for.
struct UnknownCommand: Error, Hashable {
  /// With the commands before it: `model chek`.
  let name: String
  private let word: String
  private let known: [String]

  /// A word behind a command that does something by itself, too; nil where that is no command with others below.
  init?(_ word: String, behind parent: String) {
    let (command, rest) = CommandRow.spelled(by: [parent])
    guard rest.isEmpty, !command.subcommands.isEmpty else { return nil }
    self.word = word
    name = "\(parent) \(word)"
    known = command.subcommands.map(\.name)
  }

  /// Whether there is such a command, which stands in the wrong place.
  var isKnown: Bool { known.contains(word) }

  /// Nil where the words begin with a command.
  ///
  /// - Parameter isHelp: whether only names of commands may follow.
  init?(in words: ArraySlice<String>, isHelp: Bool = false) {
    let (command, rest) = CommandRow.spelled(by: words)
    guard let word = rest.first, !word.hasPrefix("-") else { return nil }
    let hasDefault = command.type.configuration.defaultSubcommand != nil
    guard isHelp || !command.subcommands.isEmpty && !hasDefault else { return nil }
    let isFirst = rest.startIndex == words.startIndex
    guard !isFirst || isHelp || word != Storetool.helpName else { return nil }
    self.word = word
    name = (words[..<rest.startIndex] + [word]).joined(separator: " ")
    known = command.subcommands.map(\.name) + (isFirst ? [Storetool.helpName] : [])
  }
}

extension Diagnostic {
  fileprivate func helping(_ sentences: [String]) -> Diagnostic {
    sentences.reduce(self) { $0.helping($1) }
  }
}

extension UnknownCommand: DiagnosableError {
  /// What else may be meant.
  private var habits: [String] {
    if name == word {
      return StoreAtHand.isName(word)
        ? ["the first argument must be a command: storetool info '\(word)'"]
        : [CommonAliases.commands[word]].compactMap(\.self)
    }
    return name.hasPrefix(ExplainCommand.configuration.commandName.map { $0 + " " } ?? "")
      ? ["specify the command to explain: storetool explain fetch \(word)"] : []
  }

  var diagnostics: [Diagnostic] {
    let diagnostic = Diagnostic(
      .error, "usage", "unknown command '\(name)'", cause: .usage)
    let habits = habits
    return [habits.isEmpty ? diagnostic.didYouMean(word, among: known) : diagnostic.helping(habits)]
  }
}
