import StoreDiagnostics

/// A reason why valid rows can't be generated.
enum SeedError: Error, Hashable {
  /// A uniqueness constraint doesn't have enough distinct values.
  case tooFewValues(entity: String, properties: [String], possible: UInt64, wanted: Int)
  /// No value satisfies the bounds or the pattern of a required attribute.
  case noValue(entity: String, attribute: String, TextRules.Issue?)
  /// A required relationship doesn't have a possible destination.
  case noDestination(entity: String, relationship: String, destination: String)
  /// A relationship requires more rows of an entity.
  case tooFewRows(relationship: String, entity: String, needed: Int, have: Int)
  case unsatisfiableCounts(relationship: String, inverse: String?, rows: Int, members: Int)
}

extension SeedError: DiagnosableError {
  var diagnostics: [DiagnosticMessage] { [diagnostic] }

  private var diagnostic: DiagnosticMessage {
    switch self {
    case .tooFewValues(let entity, let properties, let possible, let wanted):
      DiagnosticMessage(
        .error, "seed.too-few-values",
        "\(Self.listed(properties, of: entity)) \(properties.count == 1 ? "is" : "are") unique, so only \(possible) "
          + "more \("row".plural(possible)) can be distinguished by \(properties.count == 1 ? "it" : "them"), not \(wanted)",
        help: ["request at most \(possible) \("row".plural(possible))"])
    case .noValue(let entity, let attribute, let fault):
      DiagnosticMessage(
        .error, "seed.no-value",
        "'\(entity).\(attribute)' is required, but no value can be generated for it: \(Self.reason(fault))",
        help: ["add a default value to the model"])
    case .noDestination(let entity, let relationship, let destination):
      DiagnosticMessage(
        .error, "seed.no-destination",
        "'\(entity).\(relationship)' is required, but '\(destination)' doesn't have rows",
        help: ["create some, too: \(destination)=10"])
    case .tooFewRows(let relationship, let entity, let needed, let have):
      DiagnosticMessage(
        .error, "seed.too-few-rows",
        "'\(relationship)' requires \(needed) \("row".plural(needed)) of '\(entity)', but there would be only \(have)",
        help: ["create more: \(entity)=\(needed)"])
    case .unsatisfiableCounts(let relationship, let inverse, let rows, let members):
      DiagnosticMessage(
        .error, "seed.counts",
        "the numbers of members that '\(relationship)'\(inverse.map { " and '\($0)'" } ?? "") allow aren't possible "
          + "between \(rows) \("row".plural(rows)) and \(members)",
        help: ["request other numbers of rows"])
    }
  }

  /// Returns names such as `'Item.code' and 'Item.batch'`.
  private static func listed(_ properties: [String], of entity: String) -> String {
    properties.map { "'\(entity).\($0)'" }.joined(separator: " and ")
  }

  private static func reason(_ fault: TextRules.Issue?) -> String {
    switch fault {
    case .length(let least, let most)?:
      "no text has at least \(least) and at most \(most) characters"
    case .pattern(let pattern)?: "no text was found that matches '\(pattern)'"
    case nil: "no value is within its bounds"
    }
  }
}
