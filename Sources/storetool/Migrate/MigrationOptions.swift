import StoreDiagnostics
import ArgumentParser
import StoreCore
import StoreMigration

/// Which store gets where and by which versions, what it may lose, and what is done to be safe.
///
/// All of it in one group: each costs the parser as much as ten options, which can be seen in a migration
/// that rewrites no row.
struct MigrationOptions: ParsableArguments {
  @Argument(help: StoreOptions.argumentHelp, completion: .stores)
  var path: FilePath?

  @Option(name: .long, help: MigrationRouteOptions.toHelp, completion: .versions)
  var to: String?

  @Option(
    name: .long, parsing: .singleValue, help: MigrationRouteOptions.viaHelp, completion: .versions)
  var via: [String] = []

  @Option(name: .long, help: MigrationsOption.help, completion: .directory)
  var migrations: FilePath?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Drop what the target has no place for: Item.note,Item.tags, or all.", valueName: "names"),
    completion: .partsOfModel)
  var allowLoss: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Where the backup goes. Default: STORE.<version>.<UTC>.backup beside the store.",
      valueName: "path"),
    completion: .file())
  var backup: FilePath?

  @Flag(name: .long, help: "Make no backup.")
  var noBackup = false

  @Flag(name: .long, help: "Do not compare the rows before and after.")
  var noProof = false

  @Option(name: .long, help: StoreOptions.storeHelp, completion: .stores)
  var store: FilePath?

  @Option(name: .long, help: StoreOptions.simulatorHelp)
  var simulator: String?

  @Option(name: .long, help: ModelOptions.modelHelp, completion: .file())
  var model: FilePath?

  @Option(name: .long, help: StoreOptions.appHelp, completion: .file())
  var app: FilePath?

  @Option(name: .long, help: ModelOptions.versionHelp, completion: .versions)
  var modelVersion: String?

  func validate() throws {
    if noBackup && backup != nil {
      throw ValidationError("--backup and --no-backup exclude each other")
    }
    try StoreOptions.requireOneStore(path ?? store, simulator)
    try StoreOptions.requireOneModel(model, app)
  }

  /// - Parameter use: what is about to be done to the store.
  /// - Throws: what finding the store, its version and the path throws.
  func request(before use: Store.Access) throws -> RequestedMigration {
    let store = try MigrationRouteOptions.store(path, or: store)
    return try Workspace(
      store: store, simulator: simulator, model: app ?? model, modelVersion: modelVersion
    ).migration(to: to, via: via, migrations: migrations, before: use)
  }

  func settings(for request: RequestedMigration) -> MigrationSettings {
    let allowed = allowLoss.map { AllowedLosses($0) } ?? .none
    var settings = MigrationSettings(
      backup: noBackup ? .none : backup.map(MigrationSettings.Backup.at) ?? .beside,
      allowedLosses: allowed, proves: !noProof)
    settings.otherNames = request.namesOfVersions(for: allowed)
    return settings
  }
}
