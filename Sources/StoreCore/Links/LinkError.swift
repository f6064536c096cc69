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

  package var diagnostics: [DiagnosticMessage] { [diagnostic] }

  private var diagnostic: DiagnosticMessage {
    switch self {
    case .unknownRelationship(let name, let entity, let known):
      DiagnosticMessage(
        .error, "link.unknown-relationship", "'\(entity)' has no relationship '\(name)'",
        cause: .notFound, help: Self.help(entity, known)
      ).didYouMean(name, among: known)
    case .noRelationship(let name, let entity, let known):
      DiagnosticMessage(
        .error, "link.no-relationship", "'\(name)' of '\(entity)' isn't a relationship",
        cause: .usage, help: Self.help(entity, known)
      ).didYouMean(name, among: known)
    case .notStored(let name, let entity):
      DiagnosticMessage(
        .error, "link.no-relationship",
        "'\(name)' of '\(entity)' isn't stored, so rows can't be linked by it", cause: .usage)
    case .severalPartners(_, let entity, let partner, let count):
      DiagnosticMessage(
        .error, "link.several-partners",
        "\(count) '\(partner)' rows match, but each '\(entity)' row can be linked to only one",
        help: [
          .text("write a predicate that matches only one '\(partner)' row"),
          .request(.showMatches(entity: partner)),
        ])
    case .notOrdered(let name, let entity):
      DiagnosticMessage(
        .error, "link.not-ordered", "'\(name)' of '\(entity)' isn't ordered", cause: .usage,
        help: [
          "omit the position or sort order",
          "or make the relationship ordered in a new version of the model, and migrate the store",
        ])
    case .position(let position, let relationship, let entity, let key, let count):
      DiagnosticMessage(
        .error, "link.no-position",
        """
        '\(relationship)' of \(entity) p\(key) has no position \(position), because it contains only \(count) \
        other \("member".plural(count))
        """, cause: .usage, help: ["positions are counted from 0"])
    }
  }

  private static func help(_ entity: String, _ known: [String]) -> [DiagnosticRemedy] {
    known.isEmpty ? [.text("'\(entity)' has no relationships")] : []
  }
}
