package import StoreDiagnostics

/// Why links can't be made or ended; nothing was changed.
package enum LinkError: DiagnosableError, Hashable {
  case unknownRelationship(String, entity: String, known: [String])
  /// It is another property of the entity.
  case noRelationship(String, entity: String, known: [String])
  /// Transient, or fetched from nowhere.
  case notStored(String, entity: String)
  /// A row can have one partner, and several match.
  case severalPartners(relationship: String, entity: String, partner: String, count: Int)
  /// A position, or an order of the new members, where members have none.
  case notOrdered(String, entity: String)
  /// A row has fewer members to stand behind.
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
      "'\(name)' of '\(entity)' is not a relationship"
    case .notStored(let name, let entity):
      "'\(name)' of '\(entity)' is transient: the store does not have it"
    case .severalPartners(let relationship, let entity, let partner, let count):
      """
      \(count) '\(partner)' rows match, and by '\(relationship)' a row of '\(entity)' can have one \
      of them
      """
    case .notOrdered(let name, let entity): "'\(name)' of '\(entity)' has no order"
    case .position(let position, let relationship, let entity, let key, let count):
      """
      '\(relationship)' has no position \(position) beside \(count) other \
      member\(count == 1 ? "" : "s"): \(entity) p\(key)
      """
    }
  }

  private var help: [Remedy] {
    switch self {
    case .unknownRelationship(_, let entity, let known), .noRelationship(_, let entity, let known):
      known.isEmpty ? [.text("'\(entity)' has no relationships")] : []
    case .notStored: []
    case .severalPartners(_, _, let partner, _): [.request(.showMatches(entity: partner))]
    case .notOrdered: ["leave out the position, or make the relationship ordered in the model"]
    case .position: ["positions are counted from 0"]
    }
  }
}
