import ArgumentParser

/// What a batch request prints on standard output when it is done.
struct BatchResultOptions: ParsableArguments {
  @Flag(name: .long, help: "Print how many rows were changed or deleted. The default.")
  var count = false

  @Flag(name: .long, help: "Print the object IDs of these rows, one a line.")
  var ids = false

  @Flag(name: .long, help: "Print true when it is done.")
  var status = false

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Change nothing unless exactly so many rows or links change: as many as --dry-run has told.",
      valueName: "n"))
  var expect: Int?

  func validate() throws {
    if let expect, expect < 0 { throw ValidationError("--expect takes a number from 0 on") }
    if [count, ids, status].count(where: { $0 }) > 1 {
      throw ValidationError("--count, --ids and --status exclude each other")
    }
  }

  /// A dry run has no rows that were changed to tell of.
  func requireChange(unless isDryRun: Bool) throws {
    if isDryRun && (ids || status) {
      throw ValidationError("--dry-run changes nothing; leave out --ids and --status")
    }
  }
}
