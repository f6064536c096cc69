import StoreCore
import ArgumentParser

/// The root of the command line. It runs the command that the arguments specify.
@main
struct Storetool: ParsableCommand {
  static let name = "storetool"

  static let configuration = CommandConfiguration(
    commandName: name,
    abstract: "Read and write Core Data stores and models without Core Data.",
    discussion: """
      A store is an SQLite file with Core Data's tables. A model is an .xcdatamodeld or its compiled form. In a \
      folder with one store and a Models/ folder, you don't need to specify paths:

        storetool apply-template peopleFR NAME=Ray
        storetool fetch Product --where 'price > 10' --sort -price --limit 5
      """,
    version: Version.current,
    groupedSubcommands: CommandRow.groups.map { group in
      CommandGroup(name: group.name, subcommands: group.rows.map { $0.type })
    })

  static func main() {
    Signals.ignoreWriteSignals()
    do {
      try ProcessLimits.check()
      let words = ArgumentText.all
      CompletionRequest.answer(words)
      if words.first == helpName, let unknown = UnknownCommand(in: words.dropFirst(), isHelp: true)
      {
        throw unknown
      }
      try RepeatedOption.check(words[...])
      try UnquotedPredicate.check(words[...])
      var command = try command(of: words[...])
      try command.run()
    } catch {
      FailedCommand(error).leave()
    }
  }

  /// Returns the command that the arguments specify.
  ///
  /// First, the command itself parses its arguments. This saves a tenth of the time of a short command, because the
  /// root would search all arguments for completion requests. If the command can't parse them, the root parses all
  /// arguments, which produces errors and help with the full name of the command.
  static func command(of words: ArraySlice<String>) throws -> any ParsableCommand {
    let words = ArgumentText.separated(words)
    let (alone, rest) = CommandRow.named(by: words)
    if alone != self, let command = try? alone.parseAsRoot(Array(rest)),
      type(of: command).configuration.commandName != helpName
    {
      try ArgumentText.requireText(words)
      return command
    }
    let command = try parseAsRoot(Array(words))
    try ArgumentText.requireText(words)
    return command
  }

  /// The name of the parser's help command.
  static let helpName = "help"
}

/// The version of the program.
enum Version {
  static let current = "0.1.0"
}
