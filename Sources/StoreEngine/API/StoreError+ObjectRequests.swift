import StoreDiagnostics
import StorePredicate

/// The errors of requests for an object, its members or its included rows.
extension StoreError {
  static func noObject(_ id: ObjectID) -> StoreError {
    let diagnostic = DiagnosticMessage(
      .error, "object.missing", "the store has no row \(id.primaryKey) of '\(id.entity)'",
      cause: .notFound, help: ["the row was deleted, or the ID is from another store"])
    return StoreError(.noObject, [diagnostic.about(id.entity, key: id.primaryKey)])
      .about(id)
  }

  static func noUniqueKey(_ entity: String) -> StoreError {
    StoreError(
      .invalidRequest, "object.no-unique-key",
      "'\(entity)' has no uniqueness constraint, which is needed to find an existing row",
      cause: .usage, help: ["add a constraint to the model, or use create and update"])
  }

  /// The error for a key path with more than one relationship.
  static func severalRelationships(_ path: [String]) -> StoreError {
    StoreError(
      .invalidRequest, "object.several-relationships",
      "'\(path.joined(separator: "."))' contains more than one relationship", cause: .usage,
      help: ["fetch the row that has the last relationship, and use it as the owner"])
  }

  static func notOrdered(_ name: String, entity: String) -> StoreError {
    StoreError(
      .invalidRequest, "object.not-ordered", "'\(name)' of '\(entity)' isn't ordered",
      cause: .usage,
      help: ["omit the position, or make the relationship ordered in the model"])
  }

  /// The error for a position that is greater than the number of other members.
  static func noPosition(_ position: Int, count: Int, _ name: String) -> StoreError {
    StoreError(
      .invalidRequest, "object.no-position",
      "position \(position) doesn't exist: '\(name)' has \(count) other \("member".plural(count))",
      cause: .usage, help: ["positions start at 0"])
  }

  /// The error for a row to move that isn't a member of the relationship.
  static func noMember(_ id: ObjectID, _ name: String) -> StoreError {
    StoreError(
      .invalidData, "object.no-member",
      "\(id.entity) p\(id.primaryKey) isn't a member of '\(name)'", cause: .invalid,
      help: ["add the row to the relationship first"])
  }

  /// The error for properties without a uniqueness constraint.
  ///
  /// - Parameter constraints: the existing constraints.
  static func notUnique(
    _ names: [String], entity: String, constraints: [[String]]
  ) -> StoreError {
    let known = constraints.map { $0.joined(separator: " with ") }.joined(separator: ", ")
    return StoreError(
      .invalidRequest, "object.not-unique",
      "several rows of '\(entity)' can have the same \(names.map { "'\($0)'" }.joined(separator: ", "))",
      cause: .usage,
      help: [
        constraints.isEmpty
          ? "the entity has no uniqueness constraints; use 'first' instead"
          : "use a uniqueness constraint: \(known)"
      ])
  }

  /// The error for a path of relationships from a row of the entity.
  ///
  /// - Parameter included: the included relationships.
  static func notIncluded(_ path: [String], entity: String, included: [String]) -> StoreError {
    let diagnostic = DiagnosticMessage(
      .error, "object.not-included",
      "'\(path.joined(separator: "."))' of '\(entity)' isn't included in the query", cause: .usage,
      help: ["add the relationship to 'including' of the query"])
    return StoreError(.invalidRequest, [diagnostic.didYouMean(path.first ?? "", among: included)])
  }
}
