package import StoreDiagnostics

/// The reason why links can't be created or removed. The store is unchanged.
package enum LinkError: DiagnosableError, Hashable {
  case unknownRelationship(String, entity: String, known: [String])
  /// The name belongs to a property that isn't a relationship.
  case noRelationship(String, entity: String, known: [String])
  /// The relationship is transient, or the store doesn't contain it.
  case notStored(String, entity: String)
  /// A row of `entity` can be linked to only one row of `partner`, but `count` rows match.
  case severalPartners(relationship: String, entity: String, partner: String, count: Int)
  /// The request contains a position or a sort order of new members, but the relationship isn't ordered.
  case notOrdered(String, entity: String)
  /// A row has too few members for the position.
  case position(Int, relationship: String, entity: String, key: Int64, count: Int)

  package var diagnostics: [Diagnostic] {
    let diagnostic = Diagnostic(.error, code, message, cause: cause, help: help)
    switch self {
    case .unknownRelationship(let name, _, let known), .noRelationship(let name, _, let known):
      return [diagnostic.didYouMean(name, among: known)]
    case .notStored, .severalPartners, .notOrdered, .position: return [diagnostic]
    }
  }

  private var cause: Diagnostic.Cause {
    switch self {
    case .unknownRelationship: .notFound
    case .noRelationship, .notStored, .notOrdered, .position: .usage
    case .severalPartners: .invalid
    }
  }

  private var code: String {
    switch self {
    case .unknownRelationship: "link.unknown-relationship"
    case .noRelationship, .notStored: "link.no-relationship"
    case .severalPartners: "link.several-partners"
    case .notOrdered: "link.not-ordered"
    case .position: "link.no-position"
    }
  }

  private var message: String {
    switch self {
    case .unknownRelationship(let name, let entity, _):
      "'\(entity)' has no relationship '\(name)'"
    case .noRelationship(let name, let entity, _):
      "'\(name)' of '\(entity)' isn't a relationship"
    case .notStored(let name, let entity):
      "'\(name)' of '\(entity)' is transient, so stores don't contain it"
    case .severalPartners(_, let entity, let partner, let count):
      "\(count) '\(partner)' rows match, but each '\(entity)' row can be linked to only one"
    case .notOrdered(let name, let entity): "'\(name)' of '\(entity)' isn't ordered"
    case .position(let position, let relationship, let entity, let key, let count):
      """
      '\(relationship)' doesn't have a position \(position), because it contains only \(count) other \
      member\(count == 1 ? "" : "s"): \(entity) p\(key)
      """
    }
  }

  private var help: [Remedy] {
    switch self {
    case .unknownRelationship(_, let entity, let known), .noRelationship(_, let entity, let known):
      known.isEmpty ? [.text("'\(entity)' doesn't have relationships")] : []
    case .notStored: []
    case .severalPartners(_, _, let partner, _):
      [
        .text("write a predicate that matches only one '\(partner)' row"),
        .request(.showMatches(entity: partner)),
      ]
    case .notOrdered: ["omit the position, or make the relationship ordered in the model"]
    case .position: ["positions are counted from 0"]
    }
  }
}
