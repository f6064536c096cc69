import RecordFormats
import SQLiteAccess
import ArgumentParser
import StoreMigration

/// `storetool migrate plan`
struct MigratePlanCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plan",
    abstract: "Shows the steps, their SQL, what they touch and what is lost; changes nothing.",
    usage: "storetool migrate plan [<store>] <options>",
    discussion: """
        storetool migrate plan
        storetool migrate plan --to 'Todo 2' --allow-loss all --format json
      """)

  @OptionGroup var options: MigrationOptions

  @OptionGroup var format: FormatOptions

  func run() throws {
    Signals.cancelOnInterrupt()
    let output = MigrationOutput(format)
    let request = try options.request(before: .reading)
    guard request.isPending else { return try output.printNothingToDo(in: request) }
    try output.printPlan(of: request, options.settings(for: request))
  }
}
