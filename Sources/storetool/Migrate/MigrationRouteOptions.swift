import StoreDiagnostics
import ArgumentParser
import StoreCore
import StoreMigration

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Where a store is to get, and by which versions.
struct MigrationRouteOptions: ParsableArguments {
  static let toHelp = ArgumentHelp(
    "The version to migrate to, older ones too. Default: the bundle's current one.",
    valueName: "version")
  static let viaHelp = ArgumentHelp(
    "A version to pass on the way, again for each; or direct, past all definitions between.",
    valueName: "version")

  @Argument(help: StoreOptions.argumentHelp, completion: .stores)
  var path: FilePath?

  @Option(name: .long, help: MigrationRouteOptions.toHelp, completion: .versions)
  var to: String?

  @Option(
    name: .long, parsing: .singleValue, help: MigrationRouteOptions.viaHelp, completion: .versions)
  var via: [String] = []

  // That of `MigrationsOption`, but no group in a group: each costs the parser as much as ten options.
  @Option(name: .long, help: MigrationsOption.help, completion: .directory)
  var migrations: FilePath?

  /// - Parameter use: what is about to be done to the store.
  /// - Throws: what finding the store, its version and the way throws.
  func request(in store: StoreOptions, before use: Store.Access) throws -> RequestedMigration {
    var store = store
    store.store = try Self.store(path, or: store.store)
    return try Workspace(store).migration(to: to, via: via, migrations: migrations, before: use)
  }

  /// A word behind `migrate` that is neither a store nor a command is more likely a slip in a command.
  static func store(_ argument: FilePath?, or option: FilePath?) throws -> FilePath? {
    let name = MigrateCommand.configuration.commandName ?? ""
    if let argument, argument.kind == nil,
      !StoreAtHand.isName("\(argument)"), argument.folder.isEmpty,
      let unknown = UnknownCommand("\(argument)", behind: name)
    {
      guard !unknown.isKnown else {
        throw ValidationError(
          "'\(argument)' goes before the options: storetool \(unknown.name) …")
      }
      throw unknown
    }
    return try StoreOptions.store(argument, or: option)
  }
}
