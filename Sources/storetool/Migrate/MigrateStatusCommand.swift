import SQLiteAccess
import ArgumentParser
import StoreMigration

/// `storetool migrate status`
struct MigrateStatusCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Shows the store's version, the target and the way between them.",
    discussion: """
        storetool migrate status
        storetool migrate status --check || storetool migrate
      """)

  @Flag(name: .long, help: "Exit 1 when there is something to migrate.")
  var check = false

  @OptionGroup var route: MigrationRouteOptions
  @OptionGroup var options: StoreOptions
  @OptionGroup var format: FormatOptions

  func run() throws {
    Signals.cancelOnInterrupt()
    let request = try route.request(in: options, before: .reading)
    try MigrationOutput(format).printStatus(of: request)
    if check && request.isPending { throw CheckFound() }
  }
}
