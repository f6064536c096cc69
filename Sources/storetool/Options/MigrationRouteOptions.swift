import ArgumentParser
import StoreEngine
import StoreMigration

/// Where a store is to get, and by which versions.
struct MigrationRouteOptions: ParsableArguments {
  static let toHelp = ArgumentHelp(
    "The version to migrate to, older ones too. Default: the bundle's current one.",
    valueName: "version")
  static let viaHelp = ArgumentHelp(
    "A version to pass on the way, again for each; or direct, past all definitions between.",
    valueName: "version")

  @Option(name: .long, help: MigrationRouteOptions.toHelp, completion: .versions)
  var to: String?

  @Option(
    name: .long, parsing: .singleValue, help: MigrationRouteOptions.viaHelp, completion: .versions)
  var via: [String] = []

  // That of `MigrationsOption`, but no group in a group: each costs the parser as much as ten options.
  @Option(name: .long, help: MigrationsOption.help, completion: .directory)
  var migrations: String?

  /// - Parameter use: what is about to be done to the store.
  /// - Throws: what finding the store, its version and the way throws.
  func request(in store: StoreOptions, before use: Store.Access) throws -> RequestedMigration {
    try Workspace(store).migration(to: to, via: via, migrations: migrations, before: use)
  }
}
