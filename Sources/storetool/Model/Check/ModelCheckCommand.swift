import ArgumentParser
import StoreDiagnostics

/// `storetool model check`
struct ModelCheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Finds the mistakes in a model, all of them at once.",
    discussion: """
      Every version of every model at hand is read, and every fetch-request template and derived \
      attribute checked against its entity. Versions in Migrations/<Model>.lock (see 'model lock') must be there, \
      unchanged; stores of each version must get to the current one, inferred or by a migration in \
      Migrations/<Model>/; two versions with equal hashes are a warning. Exits 1 when there is an error, with \
      --strict also for a warning. Findings whose codes are ignored in storetool.json are only counted.

        storetool model check
        storetool model check Models/People.xcdatamodeld --format github
      """)

  @OptionGroup var model: ModelArgument
  @OptionGroup var migrations: MigrationsOption

  @Flag(help: "Fail on warnings too.")
  var strict = false

  @Option(
    help: ArgumentHelp("A code of findings that are left out. May be repeated.", valueName: "code"))
  var ignore: [IgnoredCode] = []

  @Option(
    help: ArgumentHelp(
      "The oldest version that still has users: what becomes of stores of older ones is not asked.",
      valueName: "version"),
    completion: .versions)
  var supportedFrom: String?

  @Option(help: "How to write the findings. Default: text.")
  var format = FindingFormat.text

  @OptionGroup var table: TableOptions

  func validate() throws {
    if let code = ignore.first(where: { $0.pair != nil }) {
      throw ValidationError(
        "--ignore takes a code here: '\(code.code)'; a pair of versions goes with 'migrate matrix'")
    }
  }

  func run() throws {
    var check = try ModelCheck(
      model.workspace, version: model.options.modelVersion, since: supportedFrom,
      migrations: migrations.folder)
    let notes = check.ignore(ignore, besides: try Settings.inForce().ignored)
    try FindingWriter(format: format, style: table.style).print(
      check.findings, summary: check.summary)
    Terminal.report(notes)
    let failing = check.findings.contains {
      $0.severity == .error || strict && $0.severity == .warning
    }
    if failing { throw CheckFound() }
  }
}
