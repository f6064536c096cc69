import StoreDiagnostics
import StorePredicate

/// Why a request for one object can't be run.
enum ObjectRequestError: DiagnosableError, Hashable {
  case noObject(ObjectID)
  case noUniqueKey(String)
  /// A path on which more than one relationship was to be changed.
  case severalRelationships([String])
  case notOrdered(String, entity: String)
  /// There are fewer members to stand behind.
  case position(Int, count: Int, String)
  /// A row that was to be moved among the members of a relationship.
  case noMember(ObjectID, String)
  /// Properties that are no unique key, and those that are.
  case notUnique([String], entity: String, constraints: [[String]])
  /// A path of relationships from a row of the entity, and the relationships that were included.
  case notIncluded([String], entity: String, included: [String])

  /// As callers know it.
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
    case .noUniqueKey(let entity): "'\(entity)' has no uniqueness constraint to find the row by"
    case .severalRelationships(let path):
      "'\(path.joined(separator: "."))' is more than one relationship"
    case .notOrdered(let name, let entity): "'\(name)' of '\(entity)' has no order"
    case .position(let position, let count, let name):
      "'\(name)' has no position \(position) beside \(count) other members"
    case .noMember(let id, let name): "\(id.entity) p\(id.primaryKey) is no member of '\(name)'"
    case .notUnique(let names, let entity, _):
      "\(names.map { "'\($0)'" }.joined(separator: ", ")) can be the same in several rows of '\(entity)'"
    case .notIncluded(let path, let entity, _):
      "'\(path.joined(separator: "."))' of '\(entity)' was not read with the row"
    }
  }

  private var help: [Remedy] {
    switch self {
    case .noObject: ["it was deleted, or the ID is that of another store"]
    case .noUniqueKey: ["add one in the model, or use create and update"]
    case .severalRelationships: ["find the row before the last one, and name that"]
    case .notOrdered: ["leave out the position, or make the relationship ordered in the model"]
    case .position: ["positions are counted from 0"]
    case .noMember: ["add it to the members"]
    case .notUnique(_, _, let constraints):
      [
        constraints.isEmpty
          ? "the model has no uniqueness constraint: use first"
          : "unique are \(constraints.map { $0.joined(separator: " with ") }.joined(separator: ", "))"
      ]
    case .notIncluded: ["name it in the query's including"]
    }
  }
}
