import ArgumentParser
import RecordFormats

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
