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
      With --dialect for engines that run each statement for itself, within what they take; \
      such a script stops with an error where rows can't be migrated.

        storetool migrate script > migrate.sql && sqlite3 -bail Todo.sqlite < migrate.sql
        storetool migrate script --dialect d1 > migrate.sql
        storetool migrate script --dialect rqlite --format json > migrate.json
      """)

  @Flag(name: .long, help: "Leave out BEGIN and COMMIT.")
  var noTransaction = false

  @Option(name: .long, help: DialectOption.help, completion: .list(DialectOption.names))
  var dialect: String?

  @Option(
    name: .long,
    help: "sql; or with --dialect, json: an array of statements with their texts as parameters.")
  var format = ScriptFormat.sql

  @OptionGroup var route: MigrationRouteOptions
  @OptionGroup var options: StoreOptions

  func validate() throws {
    if format == .json, dialect == nil || dialect == SQLDialect.sqlite.rawValue {
      throw ValidationError("--format json goes with --dialect rqlite, d1 or libsql")
    }
  }

  func run() throws {
    let dialect = try DialectOption.dialect(dialect)
    Signals.cancelOnInterrupt()
    let output = MigrationOutput(nil)
    let request = try route.request(in: options, before: .reading)
    guard request.isPending else { return try output.printNothingToDo(in: request) }
    let migration = try request.migration(of: request.store)
    guard dialect == .sqlite else {
      return try migration.script(of: request.store, for: dialect).print(asJSON: format == .json)
    }
    try output.print(MigrationScript(migration, wrapsTransaction: !noTransaction))
  }
}
