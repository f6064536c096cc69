import StoreModel
import ArgumentParser
import RecordFormats
import StoreDiagnostics
import StoreMigration

struct MigrateMatrixCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "matrix",
    abstract:
      "Test the migrations between model versions on sample stores.",
    discussion: """
      For each pair of versions, the command creates a sample store, migrates it, and compares the rows before and \
      after. All losses are allowed. With --format table or markdown, the output lists each cause once, and then the \
      pairs. --ignore, or a line of the --baseline, accepts a cause. A failed pair is accepted if all of its causes \
      are accepted. The exit status is 1 if there are other failures.

        storetool migrate matrix
        storetool migrate matrix --to 'Todo 3' --rows 100
        storetool migrate matrix --format markdown >> "$GITHUB_STEP_SUMMARY"
        storetool migrate matrix --ignore 'migrate.missing-value:Todo--Todo 2'
        storetool migrate matrix --baseline Migrations/accepted.txt --write-baseline
      """)

  @Flag(
    help: """
      Test all pairs of an older and a newer version. Default: pairs of adjacent versions, the pair of the first \
      and the last version, and pairs with a definition.
      """)
  var all = false

  @Option(
    help: ArgumentHelp("Test only pairs to this version.", valueName: "version"),
    completion: .versions)
  var to: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The number of rows of each entity, 1 to 1000.", valueName: "count"))
  var rows = 10

  @Option(help: ArgumentHelp("The seed of the random values.", valueName: "number"))
  var seed: UInt64 = 1

  @OptionGroup var migrations: MigrationsOption

  @Option(help: ModelOptions.modelHelp, completion: .file())
  var model: LocalPath?

  @Option(
    help: ArgumentHelp("Test only pairs from this version.", valueName: "version"),
    completion: .versions)
  var modelVersion: String?

  @Option(
    help: ArgumentHelp(
      "The oldest version that still has users. Pairs from older versions are skipped.",
      valueName: "version"),
    completion: .versions)
  var supportedFrom: String?

  @Option(
    help: ArgumentHelp(
      "Accept failures with this code, in all pairs or in one ('CODE:FROM--TO'). May be repeated.",
      valueName: "code"))
  var ignore: [IgnoredCode] = []

  @Option(
    help: ArgumentHelp("A file with accepted causes of failures.", valueName: "file"),
    completion: .file())
  var baseline: LocalPath?

  @Flag(help: "Write the current failures to the baseline, which accepts them from now on.")
  var writeBaseline = false

  @Option(help: "The output format. Default: table on a terminal, otherwise ndjson.")
  var format: CommandFormat<FindingFormat>?

  @OptionGroup var table: TableOptions

  func validate() throws {
    if !(1...1000).contains(rows) {
      throw ValidationError("--rows must be a number from 1 to 1000")
    }
    if writeBaseline, baseline == nil {
      throw ValidationError("--write-baseline requires --baseline")
    }
  }

  func run() throws {
    Signals.cancelOnInterrupt()
    // Errors in the baseline are reported before the work begins.
    let accepted = try baseline.map { path in
      writeBaseline && path.kind == nil
        ? MatrixBaseline(new: path) : try MatrixBaseline(path: path)
    }
    let pairs = try MigrationMatrix(
      Workspace(modelPath: model, modelVersion: modelVersion), from: modelVersion, to: to,
      since: supportedFrom, isComplete: all, migrations: migrations.migrations)
    let outcomes = try Progress("pairs").followingBatch { report in
      try pairs.run(PairTrial.Sample(rows: rows, seed: seed)) {
        report?(BatchProgress(rows: $0, total: pairs.pairs.count))
      }
    }
    var judgement = MatrixJudgement(
      outcomes: outcomes, named: ignore, ofSettings: try Settings.inForce().ignored,
      baseline: accepted)
    if writeBaseline, let accepted {
      let baseline = judgement.newBaseline(accepted)
      try baseline.write()
      judgement.baseline = baseline
    }
    Terminal.report(pairs.notes + judgement.staleNotes(pairs.possible))
    try print(
      judgement, summary: MatrixFacts(judgement: judgement).summary(models: pairs.modelCount))
    if judgement.fails { throw CheckFound() }
  }

  private func print(_ judgement: MatrixJudgement, summary: String) throws {
    switch format ?? .facts(.standard) {
    case .facts(let rows):
      for (index, part) in MatrixFacts(judgement: judgement).tables(for: rows).enumerated() {
        let space = index > 0 ? "\n" : ""
        if !part.title.isEmpty {
          try OutputFile.standard.write(space + heading(part.title, rows))
        }
        try FactWriter(rows, table.style).print(part.facts)
      }
      Terminal.err.write("\(summary)\n")
    case .own:
      try FindingWriter(format: format ?? .own(.text), style: table.style).print(
        judgement.findings, summary: summary)
    }
  }

  /// Returns a heading. Markdown requires an empty line between a paragraph and a table.
  private func heading(_ title: String, _ format: RowFormat) -> String {
    format == .markdown ? "**\(title)**\n\n" : "\(title)\n"
  }
}

extension IgnoredCode: ExpressibleByArgument {
  package init?(argument: String) {
    self.init(argument)
  }
}
