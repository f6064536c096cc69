package import RecordFormats
import ArgumentParser

extension RowFormat: ExpressibleByArgument {
  /// Said here because the parser would take it through a key path, which it has to build.
  static var allValueStrings: [String] { allCases.map(\.rawValue) }

  /// A table for a person, a record a line for a program.
  static var standard: RowFormat { Terminal.out.isTerminal ? .table : .ndjson }
}

/// How results are written.
struct FormatOptions: ParsableArguments {
  static let help: ArgumentHelp =
    "How to write the result. Default: table on a terminal, ndjson into a pipe."

  @Option(name: .long, help: FormatOptions.help)
  var format: RowFormat?

  @Flag(name: .long, help: TableOptions.fullHelp)
  var full = false

  @Flag(name: .long, help: TableOptions.noHeaderHelp)
  var noHeader = false

  var resolved: RowFormat { format ?? .standard }

  var style: RowStyle { .ofStandardOutput(isFull: full, hasHeader: !noHeader) }

  func validate() throws {
    if noHeader && format == .markdown {
      throw ValidationError(
        "--no-header goes with table, csv and tsv; Markdown has no table without")
    }
  }
}
