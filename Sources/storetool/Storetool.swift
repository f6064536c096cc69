import StoreCore
import ArgumentParser

/// The root of the command line: it declares, the libraries do.
@main
struct Storetool: ParsableCommand {
  static let name = "storetool"

  static let configuration = CommandConfiguration(
    commandName: name,
    abstract: "Read and write Core Data stores and models without Core Data.",
    discussion: """
      A store is an SQLite file in Core Data's layout. A model is Core Data's XML. In a folder with one store \
      and a Models/ folder, you don't need to specify paths:

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

  /// What the words ask for. The command that the first ones name can read the others alone, which saves a
  /// short command a tenth of its time: the root would look through all of them for a wish for completions.
  ///
  /// What the command alone can't make out (a slip, a wish for help) is the root's to answer.
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

  /// The parser's own command.
  static let helpName = "help"
}

/// The tool's own version.
enum Version {
  static let current = "0.1.0"
}
