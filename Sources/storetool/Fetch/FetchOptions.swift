import StoreLayout
import ArgumentParser

/// What `fetch` and `apply-template` share: how a request is refined.
struct FetchOptions: ParsableArguments {
  @Option(
    name: WhereOption.name, parsing: .unconditionalSingleValue, help: WhereOption.help,
    completion: .predicate())
  var predicates: [String] = []

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Key paths to sort by, a minus before those that descend.", valueName: "name,-createdAt"),
    completion: .predicate(for: .value))
  var sort: [String] = []

  // A number below 0 is a value as well, to be told so.
  @Option(parsing: .unconditional, help: ArgumentHelp("At most this many rows.", valueName: "n"))
  var limit: Int?

  @Option(parsing: .unconditional, help: ArgumentHelp("Leave out the first rows.", valueName: "n"))
  var offset: Int?

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      """
      Key paths and aggregates (sum, avg, min, max, count, median, stddev); AS names one, * is all \
      attributes.
      """,
      valueName: "name,list.title,sum(price) AS total"),
    completion: .predicate(for: .column))
  var select: [String] = []

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp("One row for each group of equal values.", valueName: "country"),
    completion: .predicate(for: .column))
  var groupBy: [String] = []

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Only groups that match, with aggregates.", valueName: "sum(amount) > 10"),
    completion: .predicate(for: .value))
  var having: String?

  @Flag(help: "Leave out rows that equal an earlier one.")
  var distinct = false

  @Flag(name: .customLong("no-subentities"), help: "Only rows of the entity itself.")
  var excludesSubentities = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Group the rows under headings; sorts first.", valueName: "key path"),
    completion: .keyPath(for: .value))
  var sections: String?

  @Flag(help: "Print the number of rows (with --group-by: of groups).")
  var count = false

  @Flag(help: "Print object IDs, one a line.")
  var ids = false

  @Flag(help: FetchOptions.failOnEmptyHelp)
  var failOnEmpty = false

  static let failOnEmptyHelp: ArgumentHelp =
    "Exit 1 when there is nothing to print, or a count is 0."

  func validate() throws {
    if count && ids { throw ValidationError("--count and --ids exclude each other") }
    if distinct, count, groupBy.isEmpty, !select.isEmpty {
      throw ValidationError(
        "--count counts rows; for the number of different values: --group-by \(select.joined(separator: ",")) --count"
      )
    }
    if !select.isEmpty && (count && groupBy.isEmpty || ids) {
      throw ValidationError("--select chooses values, --count and --ids replace them")
    }
    if having != nil && groupBy.isEmpty {
      throw ValidationError("--having filters groups; add --group-by")
    }
    if sections != nil && (count || ids || !groupBy.isEmpty) {
      throw ValidationError("--sections goes with rows; leave out --count, --ids, --group-by")
    }
    if let limit, limit < 0 { throw ValidationError("--limit takes a number from 0") }
    if let offset, offset < 0 { throw ValidationError("--offset takes a number from 0") }
  }
}
