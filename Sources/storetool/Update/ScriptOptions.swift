import ArgumentParser

/// The option of a request that prints its SQL in place of running it.
struct ScriptOptions: ParsableArguments {
  @Flag(name: .customLong("sql"), help: "Print the statements instead of running them.")
  var isWanted = false

  /// - Throws: `ValidationError` for options that have no meaning beside `--sql`.
  func refuse(_ result: BatchResultOptions, _ format: FormatOptions, dryRun: Bool) throws {
    guard isWanted else { return }
    if dryRun { throw ValidationError("--sql and --dry-run exclude each other") }
    if result.count || result.ids || result.status || result.expect != nil {
      throw ValidationError(
        "--sql changes nothing; leave out --count, --ids, --status and --expect")
    }
    if format.format != nil { throw ValidationError("--sql prints SQL; leave out --format") }
  }
}
