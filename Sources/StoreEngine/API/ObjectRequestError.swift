import StoreDiagnostics
import StorePredicate

/// The reason if a request for one object can't run.
enum ObjectRequestError: DiagnosableError, Hashable {
  case noObject(ObjectID)
  case noUniqueKey(String)
  /// A path with more than one relationship.
  case severalRelationships([String])
  case notOrdered(String, entity: String)
  /// The relationship has too few members for the position.
  case position(Int, count: Int, String)
  /// A row that must be a member of the relationship, and isn't.
  case noMember(ObjectID, String)
  /// Properties that aren't a unique key, and the unique keys.
  case notUnique([String], entity: String, constraints: [[String]])
  /// A path of relationships from a row of the entity, and the included relationships.
  case notIncluded([String], entity: String, included: [String])

  /// The public error.
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
    case .noObject(let id): "the store doesn't contain row \(id.primaryKey) of '\(id.entity)'"
    case .noUniqueKey(let entity):
      "'\(entity)' doesn't have a uniqueness constraint that identifies the row"
    case .severalRelationships(let path):
      "'\(path.joined(separator: "."))' is more than one relationship"
    case .notOrdered(let name, let entity): "'\(name)' of '\(entity)' isn't ordered"
    case .position(let position, let count, let name):
      "position \(position) doesn't exist in '\(name)', which has \(count) other members"
    case .noMember(let id, let name): "\(id.entity) p\(id.primaryKey) isn't a member of '\(name)'"
    case .notUnique(let names, let entity, _):
      "\(names.map { "'\($0)'" }.joined(separator: ", ")) can be the same in several rows of '\(entity)'"
    case .notIncluded(let path, let entity, _):
      "'\(path.joined(separator: "."))' of '\(entity)' was not read with the row"
    }
  }

  private var help: [Remedy] {
    switch self {
    case .noObject: ["the row was deleted, or the ID belongs to another store"]
    case .noUniqueKey: ["add one in the model, or use create and update"]
    case .severalRelationships: ["find the row before the last one, and name that"]
    case .notOrdered: ["leave out the position, or make the relationship ordered in the model"]
    case .position: ["positions are counted from 0"]
    case .noMember: ["add it to the members"]
    case .notUnique(_, _, let constraints):
      [
        constraints.isEmpty
          ? "the model doesn't have a uniqueness constraint: use first"
          : "unique are \(constraints.map { $0.joined(separator: " with ") }.joined(separator: ", "))"
      ]
    case .notIncluded: ["name it in the query's including"]
    }
  }
}
