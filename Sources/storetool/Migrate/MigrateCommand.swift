import ArgumentParser

/// `storetool migrate …`
struct MigrateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "migrate", _superCommandName: Storetool.name,
    abstract: "Brings a store to another version of its model, and proves that nothing was lost.",
    discussion: """
      Without a subcommand it migrates, with the options that 'storetool migrate run --help' shows; \
      the others change no store.

        storetool migrate status
        storetool migrate plan
        storetool migrate
        storetool migrate --to 'Todo 2' --allow-loss Item.note --backup Before.sqlite
      """,
    subcommands: [
      MigrateRunCommand.self, MigratePlanCommand.self, MigrateScriptCommand.self,
      MigrateStatusCommand.self, MigrateMatrixCommand.self, MigrateNewCommand.self,
    ],
    defaultSubcommand: MigrateRunCommand.self)
}
