import ArgumentParser
package import RecordFormats

extension RowFormat: ExpressibleByArgument {
  /// This replaces the parser's implementation, which uses a key path that is slow to create.
  static var allValueStrings: [String] { allCases.map(\.rawValue) }

  /// The default format: a table on a terminal, otherwise one JSON object per line.
  static var standard: RowFormat { Terminal.out.isTerminal ? .table : .ndjson }
}

/// The options for the output format of a command.
struct FormatOptions: ParsableArguments {
  static let help: ArgumentHelp =
    "The output format. Default: table on a terminal, otherwise ndjson."

  @Option(help: FormatOptions.help)
  var format: RowFormat?

  @Flag(help: TableOptions.fullHelp)
  var full = false

  @Flag(help: TableOptions.noHeaderHelp)
  var noHeader = false

  /// The requested format, or the default one.
  var resolved: RowFormat { format ?? .standard }

  var style: RowStyle { .ofStandardOutput(isFull: full, hasHeader: !noHeader) }

  func validate() throws {
    if noHeader && format == .markdown {
      throw ValidationError(
        "--no-header requires table, csv or tsv; a table in Markdown requires a header")
    }
  }
}

/// The options for the style of tables in commands whose `--format` accepts other formats than `FormatOptions`.
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
  /// Returns the style for standard output. On a terminal, tables are fitted to its width unless `isFull` is true.
  static func ofStandardOutput(isFull: Bool = false, hasHeader: Bool = true) -> RowStyle {
    var style = RowStyle()
    style.hasHeader = hasHeader
    style.isColored = Terminal.out.wantsColor
    if !isFull { style.fit = Terminal.out.size.map { TableFit(width: $0.columns) } }
    return style
  }
}

/// The option `--delimiter` of commands that read CSV.
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

/// The formats of a command whose `--format` accepts more than the cases of `RowFormat`.
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

/// The format of a comparison: text, Markdown for a pull request, or records in a `RowFormat`.
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

/// The format of a model: an outline, whose lines Git can compare, or records in a `RowFormat`.
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

/// The format of a check's findings: text, the format of a service, or records in a `RowFormat`.
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
