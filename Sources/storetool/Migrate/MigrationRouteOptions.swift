import StoreDiagnostics
import ArgumentParser
import StoreCore
import StoreMigration

/// Options for the target version and the path of a migration.
struct MigrationRouteOptions: ParsableArguments {
  @Argument(help: StoreOptions.argumentHelp, completion: .stores)
  var path: LocalPath?

  @Option(
    help: ArgumentHelp(
      "The version to migrate to, which can be older. Default: the current version of the model.",
      valueName: "version"),
    completion: .versions)
  var to: String?

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      "An intermediate version of the migration, or 'direct' for none. May be repeated.",
      valueName: "version"),
    completion: .versions)
  var via: [String] = []

  // The option of `MigrationsOption` is repeated here, because parsing a nested group takes as long as parsing ten
  // options.
  @Option(help: MigrationsOption.help, completion: .directory)
  var migrations: LocalPath?
}

/// A `migrate` command for a store.
protocol MigratingCommand: StoreCommand {
  var route: MigrationRouteOptions { get }
}

extension MigratingCommand {
  func validate() throws {
    try StoreOptions.requireOneStore(route.path ?? options.store, options.simulator)
  }

  /// Returns the migration that the options describe.
  ///
  /// - Parameter use: The access to the store that the command needs.
  /// - Throws: An error of finding the store, its version or the path.
  func request(before use: Store.Access) throws -> RequestedMigration {
    var options = options
    options.store = try namedStore
    return try Workspace(options).migration(
      to: route.to, via: route.via, migrations: route.migrations, before: use)
  }

  /// The store that is specified by the argument or by `--store`. An argument that isn't a file, and doesn't look like
  /// the path of a store, is probably a subcommand in the wrong place or with a typo, which is an error.
  private var namedStore: LocalPath? {
    get throws {
      let name = MigrateCommand.configuration.commandName ?? ""
      if let argument = route.path, argument.kind == nil,
        !StoreAtHand.isName("\(argument)"), argument.folder.isEmpty,
        let unknown = UnknownCommand("\(argument)", behind: name)
      {
        guard !unknown.isKnown else {
          throw ValidationError(
            "write '\(argument)' before the options: storetool \(unknown.name) …")
        }
        throw unknown
      }
      return try StoreOptions.store(route.path, or: options.store)
    }
  }
}
