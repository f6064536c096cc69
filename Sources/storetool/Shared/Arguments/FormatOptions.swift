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
    """
    The output format. Default: table on a terminal, otherwise ndjson. Commands that change a store print only a \
    number, an ID or a sentence by default.
    """
  /// The help of `--format` in commands that print their result only in a dry run or with this option.
  static let resultHelp: ArgumentHelp =
    """
    Print a detailed report in this format. Without this option, only a dry run prints one: as a table on a terminal, \
    otherwise as ndjson.
    """

  @Option(help: FormatOptions.help)
  var format: RowFormat?

  @OptionGroup var table: TableOptions

  /// The requested format, or the default one.
  var resolved: RowFormat { format ?? .standard }

  var style: RowStyle { table.style }

  func validate() throws {
    if table.noHeader && format == .markdown {
      throw ValidationError(
        "--no-header requires table, csv or tsv; a table in Markdown requires a header")
    }
  }
}

/// The options for the style of tables.
struct TableOptions: ParsableArguments {
  @Flag(
    help: "On a terminal, print complete tables without shortening values or omitting columns.")
  var full = false

  @Flag(help: "Print table, csv and tsv without a header.")
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

/// A format of a command whose `--format` accepts more than the cases of `RowFormat`: one of its own formats, or
/// records.
enum CommandFormat<Own: CaseIterable & RawRepresentable<String>>: ExpressibleByArgument {
  case own(Own)
  case facts(RowFormat)

  init?(argument: String) {
    if let own = Own(rawValue: argument) {
      self = .own(own)
    } else if let format = RowFormat(rawValue: argument) {
      self = .facts(format)
    } else {
      return nil
    }
  }

  static var allValueStrings: [String] {
    let own = Own.allCases.map { $0.rawValue }
    return own + RowFormat.allValueStrings.filter { !own.contains($0) }
  }

  static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }

  var defaultValueDescription: String {
    switch self {
    case .own(let format): format.rawValue
    case .facts(let format): format.rawValue
    }
  }
}

/// The own formats of a comparison: text, or Markdown for a pull request.
enum DiffFormat: String, CaseIterable {
  case text, markdown
}

/// The own format of a model: an outline, whose lines Git can compare.
enum ShowFormat: String, CaseIterable {
  case outline
}

/// The own formats of a check's findings: text, or the format of a service.
enum FindingFormat: String, CaseIterable {
  case text, github, gitlab, sarif
}
