import StoreLayout
import ArgumentParser

/// The options of `fetch` and `apply-template` that refine a request.
struct FetchOptions: ParsableArguments {
  @OptionGroup var condition: WhereOption

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Key paths to sort by. A leading minus means descending order.", valueName: "name,-createdAt"),
    completion: .predicate(for: .value))
  var sort: [String] = []

  // `.unconditional` also parses `-1` as a value, so that `validate` can reject it with a specific message.
  @Option(parsing: .unconditional, help: ArgumentHelp("Print at most n rows.", valueName: "n"))
  var limit: Int?

  @Option(parsing: .unconditional, help: ArgumentHelp("Skip the first n rows.", valueName: "n"))
  var offset: Int?

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      """
      The values to print: key paths and aggregates (sum, avg, min, max, count, median, stddev). AS renames \
      a column, and * selects all attributes.
      """,
      valueName: "name,list.title,sum(price) AS total"),
    completion: .predicate(for: .column))
  var select: [String] = []

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Print one row for each group of rows with equal values of these key paths.",
      valueName: "country"),
    completion: .predicate(for: .column))
  var groupBy: [String] = []

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Print only groups that match this predicate, which can contain aggregates: 'sum(amount) > 10'.",
      valueName: "predicate"),
    completion: .predicate(for: .value))
  var having: String?

  @Flag(help: "Skip rows that are equal to an earlier row.")
  var distinct = false

  @Flag(name: .customLong("no-subentities"), help: "Exclude rows of subentities.")
  var excludesSubentities = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Print the rows in sections, one for each value of this key path. Rows are sorted by it first.",
      valueName: "key path"),
    completion: .keyPath(for: .value))
  var sections: String?

  @Flag(help: "Print the number of rows or, with --group-by, the number of groups.")
  var count = false

  @Flag(help: "Print object IDs, one per line unless --format is specified.")
  var ids = false

  @Flag(help: FetchOptions.failOnEmptyHelp)
  var failOnEmpty = false

  static let failOnEmptyHelp: ArgumentHelp =
    "Exit with status 1 if there are no rows, or if the count is 0."

  func validate() throws {
    if count && ids { throw ValidationError("--count and --ids can't be combined") }
    if distinct, count, groupBy.isEmpty, !select.isEmpty {
      throw ValidationError(
        "--count counts rows; to count distinct values: --group-by \(select.joined(separator: ",")) --count"
      )
    }
    if !select.isEmpty && (count && groupBy.isEmpty || ids) {
      throw ValidationError(
        "--select can't be combined with --ids; it can be combined with --count only if there is --group-by"
      )
    }
    if having != nil && groupBy.isEmpty {
      throw ValidationError("--having requires --group-by")
    }
    if sections != nil && (count || ids || !groupBy.isEmpty) {
      throw ValidationError("--sections can't be combined with --count, --ids or --group-by")
    }
    if let limit, limit < 0 { throw ValidationError("--limit must be 0 or greater") }
    if let offset, offset < 0 { throw ValidationError("--offset must be 0 or greater") }
  }
}
