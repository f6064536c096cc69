import StoreCore
import ArgumentParser

/// The root of the command line: it declares, the libraries do.
@main
struct Storetool: ParsableCommand {
  static let name = "storetool"

  static let configuration = CommandConfiguration(
    commandName: name,
    abstract: "Works on Core Data stores and models, without Core Data.",
    discussion: """
      A store is an SQLite file in Core Data's layout, a model is Core Data model XML. In a folder \
      with one store and a Models/ folder no path is needed:

        storetool apply-template peopleFR NAME=Ray
        storetool fetch Product --where 'price > 10' --sort -price --limit 5
      """,
    version: Version.current,
    groupedSubcommands: [
      CommandGroup(
        name: "Store",
        subcommands: [
          CreateCommand.self, InfoCommand.self, DiffCommand.self, HistoryCommand.self,
          VerifyCommand.self, CompactCommand.self, AnonymizeCommand.self, MigrateCommand.self,
          BrowseCommand.self, EachCommand.self, SimulatorsCommand.self,
          SettingsCommand.self,
        ]),
      CommandGroup(
        name: "Fetching",
        subcommands: [
          TemplatesCommand.self, ApplyTemplateCommand.self, FetchCommand.self, ShowCommand.self,
          ExplainCommand.self,
        ]),
      CommandGroup(
        name: "Writing",
        subcommands: [
          InsertCommand.self, BatchInsertCommand.self, BatchUpdateCommand.self,
          BatchDeleteCommand.self, LinkCommand.self, UnlinkCommand.self, SeedCommand.self,
          ImportCommand.self, ExportCommand.self,
        ]),
      CommandGroup(
        name: "Model",
        subcommands: [
          ModelCommand.self, PredicateCommand.self, GenerateCommand.self, GitCommand.self,
          EachWorkerCommand.self, PageModelCommand.self, PageRowsCommand.self,
          PageKeysCommand.self, PageCompleteCommand.self, PageValueCommand.self,
          PagePlainCommand.self,
          PageChangesCommand.self, PageDiagramCommand.self, PageRunCommand.self,
        ]),
    ])

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
    let (alone, rest) = named(by: words)
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

  /// The command that the first words name, or that stands for the one that they name, and the other words.
  static func named(
    by words: ArraySlice<String>
  ) -> (command: any ParsableCommand.Type, rest: ArraySlice<String>) {
    let (command, rest) = spelled(by: words)
    return (command.configuration.defaultSubcommand ?? command, rest)
  }

  /// The command that the first words spell out, and the other words.
  static func spelled(
    by words: ArraySlice<String>
  ) -> (command: any ParsableCommand.Type, rest: ArraySlice<String>) {
    var command: any ParsableCommand.Type = self
    var rest = words
    while let word = rest.first,
      let next = command.configuration.subcommands.first(where: {
        $0.configuration.commandName == word
      })
    {
      command = next
      rest = rest.dropFirst()
    }
    return (command, rest)
  }

  /// The parser's own command.
  static let helpName = "help"
}

/// The tool's own version.
enum Version {
  static let current = "0.1.0"
}
