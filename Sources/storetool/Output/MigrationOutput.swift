import RecordFormats
import StoreDiagnostics
import StoreEngine
import StoreMigration
import StoreModelReader

/// Prints what a migration would do, or has done: facts on standard output, a sentence about them on
/// standard error.
struct MigrationOutput {
  /// The one that was asked for.
  private let format: RowFormat?
  private let facts: FactWriter

  init(_ format: RowFormat?) {
    self.format = format
    facts = FactWriter(format ?? .standard)
  }

  func printStatus(of source: MigrationSource) throws {
    try facts.print(MigrationFacts.status(of: source))
    warn(of: source)
  }

  func printNothingToDo(in source: MigrationSource) throws {
    if format != nil { try facts.print(MigrationFacts.status(of: source)) }
    Terminal.err.write("'\(source.storePath)' is of \(source.target.description) already\n")
  }

  /// - Parameter alternative: what the straight way would be, where another one is taken.
  func printPlan(
    _ migration: Migration, _ settings: MigrationSettings, of source: MigrationSource,
    besides alternative: Migration?, in store: Store
  ) throws {
    let cost = try store.read {
      try MigrationCost(of: migration, settings: settings, on: $0)
    }
    let findings = try MigrationFindings(of: migration, in: store, settings: settings)
    let straight = try alternative.map {
      try MigrationFindings(of: $0, in: store, settings: settings)
    }
    try facts.print(
      MigrationFacts.plan(
        migration, cost: cost, findings: findings, straight: straight, settings: settings,
        of: source))
    warn(of: source)
  }

  func print(_ script: MigrationScript) throws {
    var text = script.text
    try text.withUTF8 { try OutputFile.standard.write($0) }
    guard !script.functions.isEmpty else { return }
    Terminal.report([
      Diagnostic(
        .warning, "migrate.own-functions",
        "the script calls functions that other engines do not have: "
          + script.functions.joined(separator: ", ")
      ).helping("run it where they are made known, or migrate with storetool")
    ])
  }

  func printTrial(_ report: MigrationReport, of source: MigrationSource) throws {
    try facts.print(MigrationFacts.report(report, of: source))
    Terminal.err.write("\(sentence(of: report)); the store is as it was\n")
    warn(of: source)
  }

  func print(_ report: MigrationReport, of source: MigrationSource) throws {
    if format != nil {
      try facts.print(MigrationFacts.report(report, of: source))
    }
    let ends = "from '\(source.found.version.name)' to '\(source.target.version.name)'"
    let backup = report.backup.map { "; the backup is '\($0)'" } ?? ""
    Terminal.err.write("migrated '\(source.storePath)' \(ends); \(sentence(of: report))\(backup)\n")
    Terminal.report(report.notes.map { Diagnostic(.note, "migrate.note", $0) })
    warn(of: source)
  }

  /// `proved 12 rows, 48 values, 7 pairs; dropped Item.note (3)`
  private func sentence(of report: MigrationReport) -> String {
    let losses = report.losses.map { "\($0.name) (\($0.count))" }
    return proofs(of: report)
      + (losses.isEmpty ? "" : "; dropped " + losses.joined(separator: ", "))
  }

  private func proofs(of report: MigrationReport) -> String {
    let counts = [
      (report.rowsProved, "row"), (report.valuesProved, "value"), (report.pairsProved, "pair"),
    ].filter { $0.0 > 0 }
      .map { "\($0.0.grouped) \($0.1)\($0.0 == 1 ? "" : "s")" }
    return counts.isEmpty
      ? "no rows were compared" : "proved \(counts.joined(separator: ", "))"
  }

  private func warn(of source: MigrationSource) {
    Terminal.report(source.warnings)
  }
}
