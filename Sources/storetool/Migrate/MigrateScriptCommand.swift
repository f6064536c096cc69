import SQLiteAccess
import ArgumentParser
import StoreMigration

/// `storetool migrate script`
struct MigrateScriptCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "script",
    abstract: "Writes the steps as a script for the sqlite3 shell.",
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
    let request = try route.request(in: options, before: .reading)
    guard request.isPending else { return try output.printNothingToDo(in: request) }
    let migration = try request.migration(of: request.store)
    try output.print(MigrationScript(migration, wrapsTransaction: !noTransaction))
  }
}
