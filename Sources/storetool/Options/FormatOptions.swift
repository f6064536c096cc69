import ArgumentParser
import StoreEngine

extension RowFormat: ExpressibleByArgument {
  /// A table for a person, a record a line for a program.
  static var standard: RowFormat { Terminal.out.isTerminal ? .table : .ndjson }
}

/// How results are written.
struct FormatOptions: ParsableArguments {
  @Option(
    name: .long,
    help: "How to write the result. Default: table on a terminal, ndjson into a pipe.")
  var format: RowFormat?

  var resolved: RowFormat { format ?? .standard }
}
