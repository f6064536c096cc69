import StoreDiagnostics

/// A relationship whose two ends do not fit together.
enum RelationshipIssue: ModelIssue, Hashable {
  case unknownInverse(String, destination: String, known: [String])
  case inverseIsNoRelationship(String, destination: String)
  case inverseEntityUnrelated(String, destination: String)
  case noInverse(String)
  case ownInverse(String)
  /// `leadsBackTo` is what the other end calls its inverse.
  case asymmetric(String, inverse: String, leadsBackTo: String?)
  case orderedToOne(String)

  var diagnostic: Diagnostic {
    switch self {
    case .unknownInverse(let name, let destination, let known):
      error("unknown-inverse", "the inverse '\(name)' does not exist in '\(destination)'")
        .didYouMean(name, among: known)
    case .inverseIsNoRelationship(let name, let destination):
      error("unknown-inverse", "the inverse '\(name)' of '\(destination)' is not a relationship")
    case .inverseEntityUnrelated(let entity, let destination):
      warning(
        "inverse-entity",
        "the inverse's entity '\(entity)' is neither the destination '\(destination)' nor its parent"
      ).helping("write inverseEntity=\"\(destination)\"")
    case .noInverse(let name):
      warning("no-inverse", "the relationship '\(name)' has no inverse")
    case .ownInverse(let name):
      warning("own-inverse", "the relationship '\(name)' is its own inverse")
    case .asymmetric(let name, let inverse, let back?):
      warning(
        "asymmetric-inverse", "the inverse of '\(name)', '\(inverse)', leads back to '\(back)'")
    case .asymmetric(let name, let inverse, nil):
      warning(
        "asymmetric-inverse", "the inverse of '\(name)', '\(inverse)', has no inverse itself")
    case .orderedToOne(let name):
      warning("ordered-to-one", "the to-one relationship '\(name)' can't be ordered; it is not")
    }
  }
}
