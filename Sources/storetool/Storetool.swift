import ArgumentParser

/// The root of the command line: it declares, the libraries do.
@main
struct Storetool: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "storetool",
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
          CreateCommand.self, InfoCommand.self, HistoryCommand.self, VerifyCommand.self,
          MigrateCommand.self,
        ]),
      CommandGroup(
        name: "Fetching",
        subcommands: [
          TemplatesCommand.self, ApplyTemplateCommand.self, FetchCommand.self,
          ExplainCommand.self,
        ]),
      CommandGroup(
        name: "Writing",
        subcommands: [
          InsertCommand.self, BatchInsertCommand.self, BatchUpdateCommand.self,
          BatchDeleteCommand.self,
          ImportCommand.self, ExportCommand.self,
        ]),
      CommandGroup(
        name: "Model",
        subcommands: [ModelCommand.self, PredicateCommand.self, GenerateCommand.self]),
    ])

  /// The words that may stand first.
  static var commandNames: [String] {
    let groups = configuration.groupedSubcommands.flatMap(\.subcommands)
    return (configuration.ungroupedSubcommands + groups)
      .compactMap { $0.configuration.commandName } + ["help"]
  }

  static func main() {
    Signals.ignoreClosedPipes()
    do {
      var command = try parseAsRoot(nil)
      try command.run()
    } catch {
      Failure(error).leave()
    }
  }
}

/// The tool's own version.
enum Version {
  static let current = "0.1.0"
}
