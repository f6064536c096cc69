package import StoreDiagnostics

/// The reason why two stores can't be compared.
package enum ComparisonError: Error, Hashable, Sendable {
  case unknownEntity(String, known: [String])
  case unknownProperty(String, entity: String?, known: [String])
  /// The key contains an unknown name.
  case unknownKey(String, entity: String, known: [String])
  case keyOfRelationship(String, entity: String)
  case keyChangedType(String, entity: String)
  /// The rules contain two keys for an entity.
  case repeatedKey(String)
  /// Rows must be matched by key, but the entity has no uniqueness constraint that can be a key.
  case noKey(entity: String)
  /// Several rows of a store have the same key.
  case ambiguousKey(entity: String, values: [String], rowCount: Int64, path: LocalPath)
}

extension ComparisonError: DiagnosableError {
  package var diagnostics: [DiagnosticMessage] { [diagnostic] }

  private var diagnostic: DiagnosticMessage {
    switch self {
    case .unknownEntity(let name, let known):
      return .error(
        "compare.unknown-entity", "neither store has an entity '\(name)'", cause: .notFound
      ).didYouMean(name, among: Set(known).sorted(), elseListing: "their entities are")
    case .unknownProperty(let name, let entity, let known):
      let owner = entity.map { "'\($0)'" } ?? "no entity"
      return .error(
        "compare.unknown-property",
        "\(owner) has \(entity == nil ? "a" : "no") property '\(name)'", cause: .notFound
      ).didYouMean(
        name, among: known,
        elseListing: entity == nil ? "the properties are" : "its properties are")
    case .unknownKey(let name, let entity, let known):
      return .error(
        "compare.unknown-property", "'\(entity)' has no attribute '\(name)'", cause: .notFound
      ).didYouMean(name, among: known, elseListing: "its attributes are")
    case .keyOfRelationship(let name, let entity):
      return .error(
        "compare.key-of-relationship",
        "'\(name)' of '\(entity)' is a relationship, but a key consists of attributes",
        cause: .usage)
    case .keyChangedType(let name, let entity):
      return .error(
        "compare.key-of-two-types",
        "'\(name)' of '\(entity)' has different types in the two stores, so it can't be a key"
      )
    case .repeatedKey(let entity):
      return .error(
        "compare.repeated-key", "duplicate key for '\(entity)'", cause: .usage,
        help: ["specify one key with all attributes, separated by commas"])
    case .noKey(let entity):
      return .error(
        "compare.no-key",
        "rows of '\(entity)' can't be matched between the stores, because '\(entity)' has no "
          + "uniqueness constraint whose attributes exist in both stores",
        cause: .usage, help: [.request(.nameKey(entity: entity))])
    case .ambiguousKey(let entity, let values, let count, let path):
      return .error(
        "compare.ambiguous-key",
        "\(count) rows of '\(entity)' in '\(path)' have the same key: \(values.joined(separator: ", "))",
        help: ["a key must be unique: specify other attributes, or more of them"])
    }
  }
}
