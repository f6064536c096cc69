import RecordFormats
import ArgumentParser
import StoreDiagnostics
import StoreEngine

/// Of a request that can be printed as SQL for another engine instead of being run.
struct ScriptOptions: ParsableArguments {
  @Flag(
    name: .customLong("sql"),
    help: "Print the statements instead of running them, as SQL or with --format json.")
  var isWanted = false

  @Option(name: .long, help: DialectOption.help, completion: .list(DialectOption.names))
  var dialect: String?

  func validate() throws {
    if dialect != nil && !isWanted { throw ValidationError("--dialect goes with --sql") }
  }

  /// - Throws: `ValidationError` for options that have no meaning beside `--sql`.
  func refuse(_ result: BatchResultOptions, _ format: FormatOptions, dryRun: Bool) throws {
    guard isWanted else { return }
    if dryRun { throw ValidationError("--sql and --dry-run exclude each other") }
    if result.count || result.ids || result.status || result.expect != nil {
      throw ValidationError(
        "--sql changes nothing; leave out --count, --ids, --status and --expect")
    }
    guard let format = format.format, format != .json else { return }
    throw ValidationError("--sql is written as SQL, or with --format json")
  }
}

/// `--dialect`
enum DialectOption {
  static let names = SQLDialect.allCases.map(\.rawValue)
  static let help = ArgumentHelp(
    "The engine that the SQL is for: \(names.joined(separator: ", ")). Default: sqlite.",
    valueName: "engine")

  /// - Throws: `DiagnosticFailure` that names the nearest one.
  static func dialect(_ name: String?) throws -> SQLDialect {
    guard let name else { return .sqlite }
    if let dialect = SQLDialect(rawValue: name) { return dialect }
    throw DiagnosticFailure(
      Diagnostic(
        .error, "usage.unknown-dialect", "--dialect: no engine is called '\(name)'", cause: .usage,
        help: [.text("the engines: \(names.joined(separator: ", "))")]
      ).didYouMean(name, among: names))
  }
}

/// How a migration's script is written.
enum ScriptFormat: NamedFormat {
  case sql
  case json

  var name: String {
    switch self {
    case .sql: "sql"
    case .json: "json"
    }
  }
}

extension SQLScript {
  /// On standard output.
  func print(asJSON isJSON: Bool) throws {
    try OutputFile.standard.write(isJSON ? json : text)
  }
}
