import RecordFormats
import StoreDiagnostics
import StoreMigration
import StoreModelReader
import StoreCore

/// Prints the status, plan, script or result of a migration on standard output, and sentences and warnings on standard
/// error.
struct MigrationOutput {
  private let format: RowFormat?
  private let facts: FactWriter

  /// - Parameter options: The format options; nil for commands without a format.
  init(_ options: FormatOptions?) {
    format = options?.format
    facts = options.map(FactWriter.init) ?? FactWriter(.standard)
  }

  func printStatus(of request: RequestedMigration) throws {
    try facts.print(.page(MigrationStatusFacts(request)))
    Terminal.report(request.warnings)
  }

  func printNothingToDo(in request: RequestedMigration) throws {
    if format != nil { try facts.print(.page(MigrationStatusFacts(request))) }
    Terminal.err.write(
      "'\(request.storePath)' is already a store of \(request.targetDescription)\n")
  }

  func printPlan(of request: RequestedMigration, _ settings: MigrationSettings) throws {
    let migration = try request.migration(of: request.store)
    let cost = try request.store.read {
      try MigrationCost(of: migration, settings: settings, on: $0)
    }
    let findings = try MigrationFindings(of: migration, in: request.store, settings: settings)
    let straight = try request.alternative().map {
      try MigrationFindings(of: $0, in: request.store, settings: settings)
    }
    try facts.print(
      .page(
        MigrationPlanFacts(
          migration, cost: cost, findings: findings, straight: straight, settings: settings,
          of: request)))
    Terminal.report(request.warnings)
  }

  func print(_ script: MigrationScript) throws {
    try OutputFile.standard.write(script.text)
    guard !script.functions.isEmpty else { return }
    Terminal.report([
      DiagnosticMessage(
        .warning, "migrate.own-functions",
        "the script calls functions that other SQLite programs don't have: "
          + script.functions.joined(separator: ", ")
      ).helping("run it in a program that defines them, or migrate with storetool")
    ])
  }

  func printDryRun(_ result: MigrationResult, of request: RequestedMigration) throws {
    try facts.print(.page(MigrationResultFacts(result, of: request)))
    Terminal.err.write("\(sentence(of: result, request)); the store wasn't changed\n")
    Terminal.report(request.warnings)
  }

  func print(_ result: MigrationResult, of request: RequestedMigration) throws {
    if format != nil {
      try facts.print(.page(MigrationResultFacts(result, of: request)))
    }
    let source =
      request.source.isCarried ? "the model in the store" : "'\(request.source.name)'"
    let ends = "from \(source) to '\(request.target)'"
    let backup = result.backup.map { "; the backup is '\($0)'" } ?? ""
    Terminal.err.write(
      "migrated '\(request.storePath)' \(ends); \(sentence(of: result, request))\(backup)\n")
    Terminal.report(result.notes.map { DiagnosticMessage(.note, "migrate.note", $0) })
    Terminal.report(request.warnings)
  }

  /// Returns a sentence about the result, such as `verified 12 rows, 48 values and 7 pairs; dropped Item.note (3)`.
  private func sentence(of result: MigrationResult, _ request: RequestedMigration) -> String {
    let losses = result.losses.map { "\($0.name) (\($0.count))" }
    return proofs(of: result, legs: request.route.legs.count)
      + (losses.isEmpty ? "" : "; dropped " + losses.joined(separator: ", "))
  }

  /// - Parameter legs: the number of steps of the path. Each of them verifies the rows that it rewrites, so a row can
  ///   be counted several times.
  private func proofs(of result: MigrationResult, legs: Int) -> String {
    let counts = [
      (result.rowsProved, legs > 1 ? "rewritten row" : "row"), (result.valuesProved, "value"),
      (result.pairsProved, "pair"),
    ].filter { $0.0 > 0 }
      .map { "\($0.0.grouped) \($0.1.plural($0.0))" }
    guard let last = counts.last else { return "no rows had to be rewritten" }
    let first = counts.dropLast().joined(separator: ", ")
    return "verified \(first.isEmpty ? last : "\(first) and \(last)")"
      + (legs > 1 ? " in \(legs) steps" : "")
  }
}
