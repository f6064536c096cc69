import StoreDiagnostics
import StorePredicate

/// An error of a request for an object, its members or its included rows.
enum ObjectRequestError: DiagnosableError, Hashable {
  case noObject(ObjectID)
  case noUniqueKey(String)
  /// A key path with more than one relationship.
  case severalRelationships([String])
  case notOrdered(String, entity: String)
  /// A position that is greater than the number of other members.
  case position(Int, count: Int, String)
  /// A row to move that isn't a member of the relationship.
  case noMember(ObjectID, String)
  /// Properties without a uniqueness constraint, and the existing constraints.
  case notUnique([String], entity: String, constraints: [[String]])
  /// A path of relationships from a row of the entity, and the included relationships.
  case notIncluded([String], entity: String, included: [String])

  /// The `StoreError` for this error.
  var failure: StoreError {
    switch self {
    case .noObject: StoreError(.noObject, diagnostics)
    case .noMember: StoreError(.invalidData, diagnostics)
    case .noUniqueKey, .severalRelationships, .notOrdered, .position, .notUnique, .notIncluded:
      StoreError(.invalidRequest, diagnostics)
    }
  }

  var diagnostics: [Diagnostic] {
    let diagnostic = Diagnostic(.error, code, message, cause: cause, help: help)
    guard case .notIncluded(let path, _, let included) = self else { return [diagnostic] }
    return [diagnostic.didYouMean(path.first ?? "", among: included)]
  }

  private var cause: Diagnostic.Cause {
    switch self {
    case .noObject: .notFound
    case .noMember: .invalid
    case .noUniqueKey, .severalRelationships, .notOrdered, .position, .notUnique, .notIncluded:
      .usage
    }
  }

  private var code: String {
    switch self {
    case .noObject: "object.missing"
    case .noUniqueKey: "object.no-unique-key"
    case .severalRelationships: "object.several-relationships"
    case .notOrdered: "object.not-ordered"
    case .position: "object.no-position"
    case .noMember: "object.no-member"
    case .notUnique: "object.not-unique"
    case .notIncluded: "object.not-included"
    }
  }

  private var message: String {
    switch self {
    case .noObject(let id): "the store has no row \(id.primaryKey) of '\(id.entity)'"
    case .noUniqueKey(let entity):
      "'\(entity)' has no uniqueness constraint, which is needed to find an existing row"
    case .severalRelationships(let path):
      "'\(path.joined(separator: "."))' contains more than one relationship"
    case .notOrdered(let name, let entity): "'\(name)' of '\(entity)' isn't ordered"
    case .position(let position, let count, let name):
      "position \(position) doesn't exist: '\(name)' has \(count) other \("member".plural(count))"
    case .noMember(let id, let name): "\(id.entity) p\(id.primaryKey) isn't a member of '\(name)'"
    case .notUnique(let names, let entity, _):
      "several rows of '\(entity)' can have the same \(names.map { "'\($0)'" }.joined(separator: ", "))"
    case .notIncluded(let path, let entity, _):
      "'\(path.joined(separator: "."))' of '\(entity)' isn't included in the query"
    }
  }

  private var help: [Remedy] {
    switch self {
    case .noObject: ["the row was deleted, or the ID is from another store"]
    case .noUniqueKey: ["add a constraint to the model, or use create and update"]
    case .severalRelationships:
      ["fetch the row that has the last relationship, and use it as the owner"]
    case .notOrdered: ["omit the position, or make the relationship ordered in the model"]
    case .position: ["positions start at 0"]
    case .noMember: ["add the row to the relationship first"]
    case .notUnique(_, _, let constraints):
      [
        constraints.isEmpty
          ? "the entity has no uniqueness constraints; use 'first' instead"
          : "use a uniqueness constraint: \(constraints.map { $0.joined(separator: " with ") }.joined(separator: ", "))"
      ]
    case .notIncluded: ["add the relationship to 'including' of the query"]
    }
  }
}
