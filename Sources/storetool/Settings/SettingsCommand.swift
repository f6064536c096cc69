import ArgumentParser

/// `storetool settings`
struct SettingsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "settings", _superCommandName: Storetool.name,
    abstract: "Shows which model, store and migrations commands use here, and who says so.",
    discussion: """
      What is not given by an option comes from the environment, else from storetool.json in the working \
      directory or the nearest folder above it, else it is looked for. Paths in the file begin at its folder:

        {"model": "App/Model.xcdatamodeld", "store": "Fixtures/App.sqlite",
         "migrations": "App/Migrations", "ignore": ["model.same-hash"]}

        storetool settings
      """)

  @OptionGroup var format: FormatOptions

  func run() throws {
    try FactWriter(format).print(SettingsFacts.facts(of: Workspace(modelPath: nil)))
  }
}
