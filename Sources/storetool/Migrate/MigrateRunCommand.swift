import RecordFormats
import SQLiteAccess
import ArgumentParser
import StoreMigration
import StoreCore

/// `storetool migrate`
struct MigrateRunCommand: ParsableCommand {
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

  @Flag(name: .long, help: "Migrate a copy, show the real figures, and remove the copy.")
  var dryRun = false

  @OptionGroup var options: MigrationOptions

  @OptionGroup var format: FormatOptions

  func run() throws {
    Signals.cancelOnInterrupt()
    let output = MigrationOutput(format)
    let request = try options.request(before: dryRun ? .reading : .writing)
    guard request.isPending else { return try output.printNothingToDo(in: request) }
    let settings = options.settings(for: request)
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
