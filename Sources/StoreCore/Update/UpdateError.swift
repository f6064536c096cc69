package import StoreDiagnostics
package import StoreModel
import StorePredicate

/// The reason why a batch update can't run.
package enum UpdateError: DiagnosableError, Hashable {
  case unknownProperty(String, entity: String, known: [String])
  case notSettable(String, entity: String, InsertPlan.Refusal)
  /// A value that is the same for all rows is invalid.
  case value(property: String, shown: String, ValueError)
  /// A value that was computed for one row is invalid.
  case row(entity: String, key: Int64, property: String, shown: String, ValueError)
  /// The expression for a required property is NULL in one row.
  case computedNull(entity: String, key: Int64, property: String, Set<NullCause>)
  /// The expression is for an attribute that allows external storage, whose values can't be computed.
  case computedBytes(property: String)
  case missingDestination(property: String, destination: String, key: Int64)
  /// Two rows would have the same partner in a one-to-one relationship.
  case sharedPartner(property: String, entity: String, key: Int64)
  /// Rows that aren't updated would lose their partner in a relationship that isn't optional.
  case lostPartner(property: String, count: Int)
  case notUnique(entity: String, properties: [String])

  package var diagnostics: [DiagnosticMessage] {
    var diagnostic = diagnostic
    diagnostic.subject = subject
    return [diagnostic]
  }

  /// The row and the properties whose values are wrong.
  private var subject: DiagnosticMessage.Subject? {
    switch self {
    case .unknownProperty: nil
    case .notSettable(let name, let entity, _): .init(entity: entity, properties: [name])
    case .row(let entity, let key, let property, _, _),
      .computedNull(let entity, let key, let property, _):
      .init(entity: entity, properties: [property], primaryKey: key)
    case .value(let property, _, _), .computedBytes(let property),
      .missingDestination(let property, _, _), .sharedPartner(let property, _, _),
      .lostPartner(let property, _):
      .init(entity: nil, properties: [property])
    case .notUnique(let entity, let properties): .init(entity: entity, properties: properties)
    }
  }

  private var diagnostic: DiagnosticMessage {
    switch self {
    case .unknownProperty(let name, let entity, let known):
      DiagnosticMessage(
        .error, "value.unknown-property", "'\(entity)' has no property '\(name)'", cause: .notFound
      ).didYouMean(name, among: known, elseListing: "the properties that can be set are")
    case .notSettable(let name, let entity, let refusal):
      DiagnosticMessage(
        .error, refusal.code, refusal.message(of: name, entity: entity), cause: refusal.cause,
        help: refusal.help(of: name, entity: entity))
    case .value(let property, let shown, let problem):
      DiagnosticMessage(
        .error, problem.code, problem.message(property: property, shown: shown),
        help: problem.description(of: property, shown: shown, isField: false) + problem.help)
    case .row(let entity, let key, let property, let shown, let problem):
      DiagnosticMessage(
        .error, problem.code,
        "in \(entity) p\(key), \(problem.message(property: property, shown: shown))",
        help: [.request(.chooseRows(orSkipValidation: problem.isValidation))])
    case .computedNull(let entity, let key, let property, let causes):
      DiagnosticMessage(
        .error, "value.missing",
        """
        '\(property)' of \(entity) p\(key) requires a value, but the new value is NULL because of \
        \(NullCause.phrase(causes))
        """, help: [.request(.chooseRows(orSkipValidation: false))])
    case .computedBytes(let property):
      DiagnosticMessage(
        .error, "value.not-settable",
        "'\(property)' allows external storage, so its values can't be computed",
        help: ["write the bytes in base64: property=text"])
    case .missingDestination(let property, let destination, let key):
      DiagnosticMessage(
        .error, "value.dangling-reference",
        "'\(property)' refers to \(destination) p\(key), which doesn't exist")
    case .sharedPartner(let property, let entity, let key):
      DiagnosticMessage(
        .error, "value.not-unique",
        "'\(property)' is one-to-one: \(entity) p\(key) and another row would have the same value")
    case .lostPartner(let property, let count):
      DiagnosticMessage(
        .error, "value.missing",
        "\(count) \("row".plural(count)) would have no '\(property)', which the model requires")
    case .notUnique(let entity, let properties):
      DiagnosticMessage(
        .error, "value.not-unique",
        "several '\(entity)' rows would have the same "
          + properties.map { "'\($0)'" }.joined(separator: ", "),
        help: ["the model has a uniqueness constraint; no row was changed"])
    }
  }
}

extension ValueError {
  /// Whether the value violates a validation rule, which the request can skip.
  fileprivate var isValidation: Bool {
    switch self {
    case .belowMinimum, .aboveMaximum, .tooShort, .tooLong, .noMatch: true
    default: false
    }
  }
}
