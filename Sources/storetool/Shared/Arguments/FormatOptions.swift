import ArgumentParser
package import RecordFormats

extension RowFormat: ExpressibleByArgument {
  /// Said here because the parser would take it through a key path, which it has to build.
  static var allValueStrings: [String] { allCases.map(\.rawValue) }

  /// A table for a person, a record a line for a program.
  static var standard: RowFormat { Terminal.out.isTerminal ? .table : .ndjson }
}

/// How results are written.
struct FormatOptions: ParsableArguments {
  static let help: ArgumentHelp =
    "The output format. Default: table on a terminal, otherwise ndjson."

  @Option(help: FormatOptions.help)
  var format: RowFormat?

  @Flag(help: TableOptions.fullHelp)
  var full = false

  @Flag(help: TableOptions.noHeaderHelp)
  var noHeader = false

  var resolved: RowFormat { format ?? .standard }

  var style: RowStyle { .ofStandardOutput(isFull: full, hasHeader: !noHeader) }

  func validate() throws {
    if noHeader && format == .markdown {
      throw ValidationError(
        "--no-header requires table, csv or tsv; a table in Markdown requires a header")
    }
  }
}

/// How tables are shown, for commands with formats of their own; the others have it in `FormatOptions`.
struct TableOptions: ParsableArguments {
  static let fullHelp: ArgumentHelp =
    "On a terminal, print complete tables without shortening values or omitting columns."
  static let noHeaderHelp: ArgumentHelp = "Print table, csv and tsv without a header."

  @Flag(help: TableOptions.fullHelp)
  var full = false

  @Flag(help: TableOptions.noHeaderHelp)
  var noHeader = false

  var style: RowStyle { .ofStandardOutput(isFull: full, hasHeader: !noHeader) }
}

extension RowStyle {
  /// What standard output takes: on a terminal tables fit, unless the user wants them whole.
  static func ofStandardOutput(isFull: Bool = false, hasHeader: Bool = true) -> RowStyle {
    var style = RowStyle()
    style.hasHeader = hasHeader
    style.isColored = Terminal.out.wantsColor
    if !isFull { style.fit = Terminal.out.size.map { TableFit(width: $0.columns) } }
    return style
  }
}

/// `--delimiter`, for all commands that read CSV.
struct DelimiterOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The separator of fields in CSV: one character, or tab. Default: comma, semicolon or "
        + "tab, whichever is most frequent in the header.", valueName: "character"))
  var delimiter: String?

  func validate() throws {
    guard let delimiter, FieldDelimiter(delimiter) == nil else { return }
    throw ValidationError("--delimiter requires one ASCII character or tab, not '\(delimiter)'")
  }

  var chosen: FieldDelimiter? { delimiter.flatMap { FieldDelimiter($0) } }
}

/// The formats of a command that has some of its own beside those of facts.
protocol NamedFormat: ExpressibleByArgument, CaseIterable {
  var name: String { get }
}

extension NamedFormat {
  init?(argument: String) {
    guard let format = Self.allCases.first(where: { $0.name == argument }) else { return nil }
    self = format
  }

  static var allValueStrings: [String] { allCases.map(\.name) }
  var defaultValueDescription: String { name }
}

/// How a comparison is written: for people, for a pull request, or as facts.
enum DiffFormat: NamedFormat {
  case text
  case markdown
  case facts(RowFormat)

  static let allCases =
    [text, markdown] + RowFormat.allCases.filter { $0 != .markdown }.map(facts)

  var name: String {
    switch self {
    case .text: "text"
    case .markdown: "markdown"
    case .facts(let format): format.rawValue
    }
  }
}

/// How a model is written: as lines for Git to compare, or as facts.
enum ShowFormat: NamedFormat {
  case outline
  case facts(RowFormat)

  static let allCases = [outline] + RowFormat.allCases.map(facts)

  var name: String {
    switch self {
    case .outline: "outline"
    case .facts(let format): format.rawValue
    }
  }
}

/// How a check's findings are written: for people, for the services that show them beside lines, or as facts.
enum FindingFormat: NamedFormat {
  case text
  case github
  case gitlab
  case sarif
  case facts(RowFormat)

  static let allCases = [text, github, gitlab, sarif] + RowFormat.allCases.map(facts)

  var name: String {
    switch self {
    case .text: "text"
    case .github: "github"
    case .gitlab: "gitlab"
    case .sarif: "sarif"
    case .facts(let format): format.rawValue
    }
  }
}
