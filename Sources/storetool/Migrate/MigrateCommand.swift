import ArgumentParser
import RecordFormats
import SQLiteAccess
import StoreCore
import StoreDiagnostics
import StoreMigration
import StoreModelReader

struct MigrateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "migrate", _superCommandName: Storetool.name,
    abstract: "Migrate a store to another version of its model, and verify that no data is lost.",
    discussion: """
      Without a subcommand, this command migrates the store, with the options of 'storetool migrate run'. The \
      other subcommands don't change the store.

        storetool migrate status
        storetool migrate plan
        storetool migrate
        storetool migrate --to 'Todo 2' --allow-loss Item.note --backup Before.sqlite
      """,
    subcommands: CommandRow.subcommands(of: Self.self),
    defaultSubcommand: MigrateRunCommand.self)
}

struct MigratePlanCommand: MigratingCommand {
  static let configuration = CommandConfiguration(
    commandName: "plan",
    abstract:
      "Show the steps of a migration with their SQL, the affected tables, and the values that would be lost.",
    usage: "storetool migrate plan [<store>] [<options>]",
    discussion: """
        storetool migrate plan
        storetool migrate plan --to 'Todo 2' --allow-loss all --format json
      """)

  @OptionGroup var route: MigrationRouteOptions
  @OptionGroup var safety: MigrationSafetyOptions
  @OptionGroup var options: StoreOptions
  @OptionGroup var format: FormatOptions

  func run() throws {
    Signals.cancelOnInterrupt()
    let output = MigrationOutput(format)
    let request = try request(before: .reading)
    guard request.isPending else { return try output.printNothingToDo(in: request) }
    try output.printPlan(of: request, safety.settings(for: request))
  }
}

struct MigrateScriptCommand: MigratingCommand {
  static let configuration = CommandConfiguration(
    commandName: "script",
    abstract: "Write a migration as a script for the sqlite3 shell.",
    discussion: """
        storetool migrate script > migrate.sql
        sqlite3 -bail Todo.sqlite < migrate.sql
      """)

  @Flag(help: "Omit BEGIN and COMMIT.")
  var noTransaction = false

  @OptionGroup var route: MigrationRouteOptions
  @OptionGroup var options: StoreOptions

  func run() throws {
    Signals.cancelOnInterrupt()
    let output = MigrationOutput(nil)
    let request = try request(before: .reading)
    guard request.isPending else { return try output.printNothingToDo(in: request) }
    let migration = try request.migration(of: request.store)
    try output.print(MigrationScript(migration, wrapsTransaction: !noTransaction))
  }
}

struct MigrateNewCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "new",
    abstract:
      "Write a draft definition for the migration between two versions.",
    discussion: """
      The draft contains the changes that can't be inferred. The file is Migrations/<Model>/<from>--<to>.xml, and \
      must not exist.

        storetool migrate new Todo 'Todo 2'
      """)

  @Argument(help: "The version to migrate from.", completion: .versions)
  var from: LocalPath

  @Argument(help: "The version to migrate to.", completion: .versions)
  var to: LocalPath

  @OptionGroup var migrations: MigrationsOption

  @Option(help: ModelOptions.modelHelp, completion: .file())
  var model: LocalPath?

  func validate() throws {
    if from == to { throw ValidationError("a migration requires two different versions") }
  }

  func run() throws {
    let workspace = Workspace(modelPath: model)
    let (source, target) = (try workspace.model(from), try workspace.model(to))
    let bundle = target.bundle
    let path = DefinitionFolder.path(
      from: source.version.name, to: target.version.name, of: bundle,
      in: migrations.folder(of: bundle))
    let pairing = ModelPairing(from: source.model, to: target.model)
    try DefinitionFolder.add(DefinitionSkeleton(pairing).text, at: path)
    print(path)
  }
}

struct MigrateStatusCommand: MigratingCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Show the version of the store, the target, and the path between them.",
    discussion: """
        storetool migrate status
        storetool migrate status --check || storetool migrate
      """)

  @Flag(help: "Exit with status 1 if the store requires a migration.")
  var check = false

  @OptionGroup var route: MigrationRouteOptions
  @OptionGroup var options: StoreOptions
  @OptionGroup var format: FormatOptions

  func run() throws {
    Signals.cancelOnInterrupt()
    let request = try request(before: .reading)
    try MigrationOutput(format).printStatus(of: request)
    if check && request.isPending { throw CheckFound() }
  }
}

struct MigrateRunCommand: MigratingCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Migrate the store.",
    usage: "storetool migrate [run] [<store>] [<options>]",
    discussion: """
      Most changes between two versions are inferred. Definitions in Migrations/<Model>/<from>--<to>.xml cover the \
      others. The migration leads directly to the target, unless a definition covers part of the way. In that case, \
      the migration passes through the two versions that the definition connects. A backup is created first. The \
      migration is one transaction. It compares rows, values and pairs of linked rows in join tables before and after \
      the changes. It is cancelled if the target version can't store some values, unless --allow-loss specifies them. \
      --to specifies the target. --model-version specifies the version of the store, which is usually found by its \
      version hashes.

        storetool migrate run
        storetool migrate --dry-run
        storetool migrate --to 'Todo 2' --allow-loss Item.note --backup Before.sqlite
      """)

  @Flag(help: "Migrate a temporary copy and print the result.")
  var dryRun = false

  @OptionGroup var route: MigrationRouteOptions
  @OptionGroup var safety: MigrationSafetyOptions
  @OptionGroup var options: StoreOptions
  @OptionGroup var format: FormatOptions

  func run() throws {
    Signals.cancelOnInterrupt()
    let output = MigrationOutput(format)
    let request = try request(before: dryRun ? .reading : .writing)
    guard request.isPending else { return try output.printNothingToDo(in: request) }
    let settings = safety.settings(for: request)
    if dryRun { return try output.printDryRun(migrateCopy(request, settings), of: request) }
    let store = try request.store.reopenedExclusively()
    let migration = try request.migration(of: store)
    let result = try PhaseProgress().following { shown in
      try MigrationRun(
        migration, of: store, settings: settings, progress: shown.report,
        share: shown.report(share:)
      ).run()
    }
    // Closing the store moves the content of the -wal to the main file.
    try store.close()
    try UnreportedChange.reporting(request.storePath) { try output.print(result, of: request) }
  }

  private func migrateCopy(
    _ request: RequestedMigration, _ settings: MigrationSettings
  ) throws -> MigrationResult {
    let migration = try request.migration(of: request.store)
    return try PhaseProgress().following { shown in
      try MigrationDryRun.run(
        migration, of: request.store, settings: settings, progress: shown.report,
        share: shown.report(share:))
    }
  }
}

/// Options for the accepted losses, the backup, and the comparison of rows before and after a migration.
struct MigrationSafetyOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Drop these values, which the target version can't store. A list such as 'Item.note,Item.tags', or 'all'.",
      valueName: "names"),
    completion: .partsOfModel)
  var allowLoss: String?

  @Option(
    help: ArgumentHelp(
      "The path of the backup. Default: STORE.<version>.<UTC>.backup next to the store.",
      valueName: "path"),
    completion: .file())
  var backup: LocalPath?

  @Flag(help: "Migrate without a backup.")
  var noBackup = false

  @Flag(help: "Migrate without comparing the rows before and after.")
  var noProof = false

  func validate() throws {
    if noBackup && backup != nil {
      throw ValidationError("--backup and --no-backup can't be combined")
    }
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
