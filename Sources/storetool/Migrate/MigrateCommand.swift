import ArgumentParser
import RecordFormats
import SQLiteAccess
import StoreCore
import StoreDiagnostics
import StoreMigration
import StoreModelReader

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
    subcommands: CommandRow.subcommands(of: Self.self),
    defaultSubcommand: MigrateRunCommand.self)
}

/// `storetool migrate plan`
struct MigratePlanCommand: MigratingCommand {
  static let configuration = CommandConfiguration(
    commandName: "plan",
    abstract: "Shows the steps, their SQL, what they touch and what is lost; changes nothing.",
    usage: "storetool migrate plan [<store>] <options>",
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

/// `storetool migrate script`
struct MigrateScriptCommand: MigratingCommand {
  static let configuration = CommandConfiguration(
    commandName: "script",
    abstract: "Writes the steps as a script for the sqlite3 shell.",
    discussion: """
        storetool migrate script > migrate.sql && sqlite3 -bail Todo.sqlite < migrate.sql
      """)

  @Flag(help: "Leave out BEGIN and COMMIT.")
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

/// `storetool migrate new`
struct MigrateNewCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "new",
    abstract:
      "Writes the skeleton of a definition between two versions, with what can't be inferred.",
    discussion: """
        storetool migrate new Todo 'Todo 2'
      """)

  @Argument(help: "The version that stores have.", completion: .versions)
  var from: FilePath

  @Argument(help: "The version that they get.", completion: .versions)
  var to: FilePath

  @OptionGroup var migrations: MigrationsOption

  @Option(help: ModelOptions.modelHelp, completion: .file())
  var model: FilePath?

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

/// `storetool migrate status`
struct MigrateStatusCommand: MigratingCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Shows the store's version, the target and the way between them.",
    discussion: """
        storetool migrate status
        storetool migrate status --check || storetool migrate
      """)

  @Flag(help: "Exit 1 when there is something to migrate.")
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

/// `storetool migrate`
struct MigrateRunCommand: MigratingCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Migrates the store.",
    usage: "storetool migrate [run] [<store>] <options>",
    discussion: """
      What changes between both versions is inferred, or said by a definition in \
      Migrations/<Model>/<from>--<to>.xml, also between others on the way. A backup is made first; then everything is one \
      transaction, in which rows, values and pairs are compared before and after. What the target \
      has no place for stops it, unless --allow-loss names it.

        storetool migrate run
        storetool migrate --dry-run
        storetool migrate --to 'Todo 2' --allow-loss Item.note --backup Before.sqlite
      """)

  @Flag(help: "Migrate a copy, show the real figures, and remove the copy.")
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
    // Here the -wal goes into the file.
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

/// What a migration may lose, and what it does for safety.
struct MigrationSafetyOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Drop what the target has no place for: Item.note,Item.tags, or all.", valueName: "names"),
    completion: .partsOfModel)
  var allowLoss: String?

  @Option(
    help: ArgumentHelp(
      "Where the backup goes. Default: STORE.<version>.<UTC>.backup beside the store.",
      valueName: "path"),
    completion: .file())
  var backup: FilePath?

  @Flag(help: "Make no backup.")
  var noBackup = false

  @Flag(help: "Do not compare the rows before and after.")
  var noProof = false

  func validate() throws {
    if noBackup && backup != nil {
      throw ValidationError("--backup and --no-backup exclude each other")
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
