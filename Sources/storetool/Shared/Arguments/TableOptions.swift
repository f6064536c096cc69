import ArgumentParser
import RecordFormats

/// How tables are shown, for commands with formats of their own; the others have it in `FormatOptions`.
struct TableOptions: ParsableArguments {
  static let fullHelp: ArgumentHelp =
    "On a terminal, write tables whole: no value is cut, no column left out."
  static let noHeaderHelp: ArgumentHelp = "Write table, csv and tsv without the columns' names."

  @Flag(name: .long, help: TableOptions.fullHelp)
  var full = false

  @Flag(name: .long, help: TableOptions.noHeaderHelp)
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
    name: .long,
    help: ArgumentHelp(
      "The character between fields of CSV: one character, or tab. Default: comma, semicolon or "
        + "tab, whichever the header has most often.", valueName: "character"))
  var delimiter: String?

  func validate() throws {
    guard let delimiter, FieldDelimiter(delimiter) == nil else { return }
    throw ValidationError("--delimiter takes one ASCII character or tab, not '\(delimiter)'")
  }

  var chosen: FieldDelimiter? { delimiter.flatMap { FieldDelimiter($0) } }
}
