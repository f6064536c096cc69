import ArgumentParser
import StoreMigration

/// `storetool migrate matrix`
struct MigrateMatrixCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "matrix",
    abstract:
      "Migrates made-up stores from older versions of the models to newer ones; exits 1 when one fails.",
    discussion: """
      It makes its own stores, proves every migration and allows every loss.

        storetool migrate matrix
        storetool migrate matrix --to 'Todo 3' --rows 100
        storetool migrate matrix --format markdown >> "$GITHUB_STEP_SUMMARY"
      """)

  @Flag(
    name: .long,
    help: """
      Every version to every newer one. Default: neighbors, the first and the last, and those with a \
      definition.
      """)
  var all = false

  @Option(
    name: .long, help: ArgumentHelp("Only pairs to this version.", valueName: "version"),
    completion: .versions)
  var to: String?

  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp("How many rows each entity gets, 1 to 1000.", valueName: "count"))
  var rows = 10

  @Option(
    name: .long, help: ArgumentHelp("What the values are drawn with.", valueName: "number"))
  var seed: UInt64 = 1

  @OptionGroup var migrations: MigrationsOption

  @Option(name: .long, help: ModelOptions.modelHelp, completion: .file())
  var model: String?

  @Option(
    name: .long, help: ArgumentHelp("Only pairs from this version.", valueName: "version"),
    completion: .versions)
  var modelVersion: String?

  @OptionGroup var format: FormatOptions

  func validate() throws {
    if !(1...1000).contains(rows) { throw ValidationError("--rows takes 1 to 1000") }
  }

  func run() throws {
    Signals.cancelOnInterrupt()
    let pairs = try MigrationMatrix(
      Workspace(store: nil, model: model, modelVersion: modelVersion), from: modelVersion, to: to,
      isComplete: all, migrations: migrations.migrations)
    let outcomes = try Progress("pairs").following { report in
      try pairs.run(PairTrial.Sample(rows: rows, seed: seed), progress: report)
    }
    try FactWriter(format).print(MatrixFacts.facts(of: outcomes))
    Terminal.report(pairs.notes)
    Terminal.err.write(MatrixFacts.summary(of: outcomes, models: pairs.modelCount) + "\n")
    let failing = outcomes.contains {
      switch $0.result.verdict {
      case .refused, .failed: true
      case .proved, .conditional, .same: false
      }
    }
    if failing { throw CheckFound() }
  }
}
