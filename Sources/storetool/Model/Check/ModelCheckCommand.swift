import ArgumentParser
import StoreDiagnostics

struct ModelCheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Find all errors in a model.",
    discussion: """
      The command reads each version of each model, and checks each fetch-request template and derived attribute. \
      Versions that are listed in Migrations/<Model>.lock (see 'model lock') must still exist and must be unchanged. \
      It must be possible to migrate stores of each version to the current one, either by inference or by a definition \
      in Migrations/<Model>/. Two versions with equal hashes cause a warning. Findings whose codes are ignored in the \
      settings file storetool.json or by --ignore are only counted. The exit status is 1 if there is an error that \
      isn't ignored or, with --strict, a warning that isn't ignored. With --model-version, only this version is read, \
      and lock files and migrations aren't checked.

        storetool model check
        storetool model check Models/People.xcdatamodeld --format github
      """)

  @OptionGroup var model: ModelArgument
  @OptionGroup var migrations: MigrationsOption

  @Flag(help: "Also exit with status 1 if there are warnings.")
  var strict = false

  @Option(
    help: ArgumentHelp(
      "Count findings with this code, but don't list them, and ignore them for the exit status. May be repeated.",
      valueName: "code"))
  var ignore: [IgnoredCode] = []

  @Option(
    help: ArgumentHelp(
      "The oldest version that still has users. Migrations of older stores aren't checked.",
      valueName: "version"),
    completion: .versions)
  var supportedFrom: String?

  @Option(help: "The format of the findings.")
  var format = CommandFormat.own(FindingFormat.text)

  @OptionGroup var table: TableOptions

  func validate() throws {
    if let code = ignore.first(where: { $0.pair != nil }) {
      throw ValidationError(
        "--ignore requires a code: '\(code.code)'; only 'migrate matrix' accepts a pair of versions"
      )
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
