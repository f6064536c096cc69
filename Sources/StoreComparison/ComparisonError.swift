package import StoreDiagnostics

/// Why two stores can't be compared as was asked for.
package enum ComparisonError: Error, Hashable, Sendable {
  case unknownEntity(String, known: [String])
  case unknownProperty(String, entity: String?, known: [String])
  case keyOfRelationship(String, entity: String)
  case keyChangedType(String, entity: String)
  /// Two keys for one entity.
  case repeatedKey(String)
  /// Rows are to be matched by key, and nothing is one.
  case noKey(entity: String)
  /// Several rows of a store have one key.
  case ambiguousKey(entity: String, values: [String], rowCount: Int64, path: FilePath)
}

extension ComparisonError: DiagnosableError {
  package var diagnostics: [Diagnostic] { [diagnostic] }

  private var diagnostic: Diagnostic {
    switch self {
    case .unknownEntity(let name, let known):
      return Diagnostic(
        .error, "compare.unknown-entity", "neither store has an entity '\(name)'", cause: .notFound
      ).didYouMean(name, among: Self.unique(known), elseListing: "their entities are")
    case .unknownProperty(let name, let entity, let known):
      let owner = entity.map { "'\($0)'" } ?? "no entity"
      return Diagnostic(
        .error, "compare.unknown-property",
        "\(owner) has \(entity == nil ? "a" : "no") property '\(name)'", cause: .notFound
      ).didYouMean(name, among: known, elseListing: "its properties are")
    case .keyOfRelationship(let name, let entity):
      return Diagnostic(
        .error, "compare.key-of-relationship",
        "'\(name)' of '\(entity)' is a relationship; a key is of attributes", cause: .usage)
    case .keyChangedType(let name, let entity):
      return Diagnostic(
        .error, "compare.key-of-two-types",
        "'\(name)' of '\(entity)' has another type in the one store than in the other: it is no key"
      )
    case .repeatedKey(let entity):
      return Diagnostic(
        .error, "compare.repeated-key", "'\(entity)' has two keys", cause: .usage,
        help: ["name all attributes of its key in one, with commas between"])
    case .noKey(let entity):
      return Diagnostic(
        .error, "compare.no-key",
        "nothing tells which rows of '\(entity)' are the same in both stores: it has no uniqueness "
          + "constraint of attributes that both have",
        cause: .usage, help: [.request(.nameKey(entity: entity))])
    case .ambiguousKey(let entity, let values, let count, let path):
      return Diagnostic(
        .error, "compare.ambiguous-key",
        "\(count) rows of '\(entity)' in '\(path)' have one key: \(values.joined(separator: ", "))",
        help: ["a key tells every row from all others: choose other attributes, or more of them"])
    }
  }

  private static func unique(_ names: [String]) -> [String] { Array(Set(names)).sorted() }
}
