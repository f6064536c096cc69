import StoreDiagnostics

/// Why rows that a model accepts can't be made.
enum SeedError: Error, Hashable {
  /// A uniqueness constraint over values of which there are not enough.
  case tooFewValues(entity: String, properties: [String], possible: UInt64, wanted: Int)
  /// Bounds or a pattern of a required attribute that no value keeps to.
  case noValue(entity: String, attribute: String, TextRules.Issue?)
  /// A required relationship, and no row that it could lead to.
  case noDestination(entity: String, relationship: String, destination: String)
  /// A relationship that needs more rows of an entity than there are to be.
  case tooFewRows(relationship: String, entity: String, needed: Int, have: Int)
  case unsatisfiableCounts(relationship: String, inverse: String?, rows: Int, members: Int)
}

extension SeedError: DiagnosableError {
  var diagnostics: [Diagnostic] { [diagnostic] }

  private var diagnostic: Diagnostic {
    switch self {
    case .tooFewValues(let entity, let properties, let possible, let wanted):
      Diagnostic(
        .error, "seed.too-few-values",
        "\(Self.listed(properties, of: entity)) \(properties.count == 1 ? "is" : "are") unique, and only \(possible) "
          + "more \("row".plural(possible)) can be told apart by \(properties.count == 1 ? "it" : "them"), not \(wanted)",
        help: ["ask for \(possible) \("row".plural(possible)) at most"])
    case .noValue(let entity, let attribute, let fault):
      Diagnostic(
        .error, "seed.no-value",
        "'\(entity).\(attribute)' is required, and no value can be made for it: \(Self.reason(fault))",
        help: ["a default value in the model would do"])
    case .noDestination(let entity, let relationship, let destination):
      Diagnostic(
        .error, "seed.no-destination",
        "'\(entity).\(relationship)' is required, and there is no row of '\(destination)' for it",
        help: ["make some as well: \(destination)=10"])
    case .tooFewRows(let relationship, let entity, let needed, let have):
      Diagnostic(
        .error, "seed.too-few-rows",
        "'\(relationship)' needs \(needed) \("row".plural(needed)) of '\(entity)', and there would be \(have)",
        help: ["make more: \(entity)=\(needed)"])
    case .unsatisfiableCounts(let relationship, let inverse, let rows, let members):
      Diagnostic(
        .error, "seed.counts",
        "the numbers of members that '\(relationship)'\(inverse.map { " and '\($0)'" } ?? "") allow can't be had "
          + "between \(rows) \("row".plural(rows)) and \(members)",
        help: ["ask for other numbers of rows"])
    }
  }

  /// `'Item.code'`, `'Item.code' and 'Item.batch'`
  private static func listed(_ properties: [String], of entity: String) -> String {
    properties.map { "'\(entity).\($0)'" }.joined(separator: " and ")
  }

  private static func reason(_ fault: TextRules.Issue?) -> String {
    switch fault {
    case .length(let least, let most)?:
      "no text has at least \(least) and at most \(most) characters"
    case .pattern(let pattern)?: "none is found that matches '\(pattern)'"
    case nil: "its bounds leave none"
    }
  }
}
