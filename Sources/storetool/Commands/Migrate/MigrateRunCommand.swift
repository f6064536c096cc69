import RecordFormats
import SQLiteAccess
import ArgumentParser
import StoreEngine
import StoreMigration

/// `storetool migrate`
struct MigrateRunCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Migrates the store.",
    usage: "storetool migrate [run] <options>",
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

  @Option(name: .long, help: FormatOptions.help)
  var format: RowFormat?

  func run() throws {
    Signals.cancelOnInterrupt()
    let output = MigrationOutput(format)
    let source = try options.source(before: dryRun ? .reading : .writing)
    guard source.isPending else { return try output.printNothingToDo(in: source) }
    let settings = options.settings(for: source)
    if dryRun {
      let report = try source.reading { store, plan in
        try PhaseProgress().following { report in
          try MigrationTrial.run(plan, of: store, settings: settings, progress: report)
        }
      }
      return try output.printTrial(report, of: source)
    }
    let report = try source.alone { store, plan in
      try PhaseProgress().following { report in
        try MigrationRun(plan, of: store, settings: settings, progress: report).run()
      }
    }
    try output.print(report, of: source)
  }
}
