import SQLiteAccess
import ArgumentParser
import StoreEngine
import StoreMigration

/// `storetool migrate script`
struct MigrateScriptCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "script",
    abstract: "Writes the steps as a script for other SQLite engines.",
    discussion: """
        storetool migrate script > migrate.sql && sqlite3 -bail Todo.sqlite < migrate.sql
      """)

  @Flag(name: .long, help: "Leave out BEGIN and COMMIT.")
  var noTransaction = false

  @OptionGroup var route: MigrationRouteOptions
  @OptionGroup var options: StoreOptions

  func run() throws {
    Signals.cancelOnInterrupt()
    let output = MigrationOutput(nil)
    let source = try route.source(in: options, before: .reading)
    guard source.isPending else { return try output.printNothingToDo(in: source) }
    try source.reading {
      try output.print(MigrationScript($1, wrapsTransaction: !noTransaction))
    }
  }
}
