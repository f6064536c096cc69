import ArgumentParser
import StoreDiagnostics

/// The error for an unknown name instead of a command. The parser would report the name as an unexpected argument, and
/// show the help of the parent command.
struct UnknownCommand: Error, Hashable {
  /// The unknown name after its parent commands, such as `model chek`.
  let name: String
  /// The unknown name alone.
  private let word: String
  /// The names that are possible instead.
  private let known: [String]

  /// Creates the error for an argument of a command that also runs without a subcommand, such as `migrate`; nil if the
  /// parent has no subcommands.
  init?(_ word: String, behind parent: String) {
    let (command, rest) = CommandRow.spelled(by: [parent])
    guard rest.isEmpty, !command.subcommands.isEmpty else { return nil }
    self.word = word
    name = "\(parent) \(word)"
    known = command.subcommands.map(\.name)
  }

  /// Whether the argument is the name of a subcommand, which is then at the wrong position.
  var isKnown: Bool { known.contains(word) }

  /// Creates the error for the first argument that should be a command but isn't; nil if there is none.
  ///
  /// - Parameter isHelp: Whether these are the arguments of `help`, which must be names of commands.
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

extension UnknownCommand: DiagnosableError {
  /// Hints for names that aren't misspelled, such as a store, a command of another tool or an entity after `explain`.
  private var habits: [String] {
    if name == word {
      return StoreAtHand.isName(word)
        ? ["the first argument must be a command: storetool info '\(word)'"]
        : [CommonAliases.commands[word]].compactMap(\.self)
    }
    guard isExplained else { return [] }
    return isOtherCommand
      ? ["explain accepts: \(known.joined(separator: ", "))"]
      : ["specify the command to explain: storetool explain fetch \(word)"]
  }

  private var isExplained: Bool {
    name.hasPrefix(ExplainCommand.configuration.commandName.map { $0 + " " } ?? "")
  }

  /// Whether the word is a command of the program, such as `insert` in `explain insert`.
  private var isOtherCommand: Bool { CommandRow.spelled(by: [word]).rest.isEmpty }

  var diagnostics: [DiagnosticMessage] {
    let diagnostic = DiagnosticMessage(
      .error, "usage",
      isExplained && isOtherCommand ? "'\(word)' can't be explained" : "unknown command '\(name)'",
      cause: .usage)
    let habits = habits
    return [
      habits.isEmpty
        ? diagnostic.didYouMean(word, among: known) : habits.reduce(diagnostic) { $0.helping($1) }
    ]
  }
}
