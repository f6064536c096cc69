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

  package var diagnostics: [Diagnostic] {
    let diagnostic = Diagnostic(.error, code, message, cause: cause, help: help)
    guard case .unknownProperty(let name, _, let known) = self else { return [diagnostic] }
    return [diagnostic.didYouMean(name, among: known)]
  }

  private var cause: Diagnostic.Cause {
    switch self {
    case .unknownProperty, .notSettable(_, _, .ofSubentity), .notSettable(_, _, .fetched): .notFound
    default: .invalid
    }
  }

  private var code: String {
    switch self {
    case .unknownProperty: "value.unknown-property"
    case .notSettable(_, _, let refusal): refusal.code
    case .computedBytes: "value.not-settable"
    case .value(_, _, let problem), .row(_, _, _, _, let problem): problem.code
    case .missingDestination: "value.dangling-reference"
    case .sharedPartner, .notUnique: "value.not-unique"
    case .lostPartner, .computedNull: "value.missing"
    }
  }

  private var message: String {
    switch self {
    case .unknownProperty(let name, let entity, _): "'\(entity)' has no property '\(name)'"
    case .notSettable(let name, let entity, let refusal): refusal.message(of: name, entity: entity)
    case .value(let property, let shown, let problem):
      problem.message(property: property, shown: shown)
    case .row(let entity, let key, let property, let shown, let problem):
      "in \(entity) p\(key), \(problem.message(property: property, shown: shown))"
    case .computedNull(let entity, let key, let property, let causes):
      """
      '\(property)' of \(entity) p\(key) requires a value, but the new value is NULL because of \
      \(NullCause.phrase(causes))
      """
    case .computedBytes(let property):
      "'\(property)' allows external storage, so its values can't be computed"
    case .missingDestination(let property, let destination, let key):
      "'\(property)' refers to \(destination) p\(key), which doesn't exist"
    case .sharedPartner(let property, let entity, let key):
      "'\(property)' is one-to-one: \(entity) p\(key) and another row would have the same value"
    case .lostPartner(let property, let count):
      "\(count) \("row".plural(count)) would have no '\(property)', which the model requires"
    case .notUnique(let entity, let properties):
      "several '\(entity)' rows would have the same "
        + properties.map { "'\($0)'" }.joined(separator: ", ")
    }
  }

  private var help: [Remedy] {
    switch self {
    case .value(let property, let shown, let problem):
      problem.description(of: property, shown: shown, isField: false) + problem.help
    case .row(_, _, _, _, .belowMinimum), .row(_, _, _, _, .aboveMaximum),
      .row(_, _, _, _, .tooShort), .row(_, _, _, _, .tooLong), .row(_, _, _, _, .noMatch):
      [.request(.chooseRows(orSkipValidation: true))]
    case .row, .computedNull: [.request(.chooseRows(orSkipValidation: false))]
    case .computedBytes: ["write the bytes in base64: property=text"]
    case .notSettable(let name, let entity, let refusal): refusal.help(of: name, entity: entity)
    case .notUnique: ["the model has a uniqueness constraint; no row was changed"]
    case .unknownProperty, .missingDestination, .sharedPartner, .lostPartner: []
    }
  }
}
