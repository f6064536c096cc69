package import StoreModel
package import StoreDiagnostics

/// The reason why rows of an entity can't be written.
package enum InsertPlanError: DiagnosableError, Hashable {
  case unknownEntity(String, known: [String])
  case abstractEntity(String, concrete: [String])
  /// The policy requires a uniqueness constraint, which the entity doesn't have.
  case noKey(entity: String, ConflictPolicy)
  /// A key contains a name that isn't a stored attribute.
  case badKey(String, entity: String, known: [String])

  package var diagnostics: [DiagnosticMessage] { [diagnostic] }

  private var diagnostic: DiagnosticMessage {
    switch self {
    case .unknownEntity(let name, let known):
      DiagnosticMessage(
        .error, "model.unknown-entity", "the model has no entity '\(name)'", cause: .notFound
      ).didYouMean(name, among: known, elseListing: "its entities are")
    case .abstractEntity(let name, let concrete):
      DiagnosticMessage(
        .error, "insert.abstract-entity", "'\(name)' is abstract, so it has no rows",
        help: concrete.isEmpty
          ? [] : ["specify a subentity: \(concrete.joined(separator: ", "))"])
    case .noKey(let entity, let policy):
      DiagnosticMessage(
        .error, "insert.no-key",
        "'\(policy.rawValue)' requires a key, but '\(entity)' has no uniqueness constraint",
        cause: .usage, help: [.importing(.chooseKey(entity: entity))])
    case .badKey(let name, let entity, let known):
      DiagnosticMessage(
        .error, "insert.bad-key", "'\(name)' isn't a stored attribute of '\(entity)'",
        cause: .notFound
      ).didYouMean(name, among: known)
    }
  }
}

extension InsertPlan {
  /// Checks that existing rows can be identified if the policy or the key requires it.
  ///
  /// - Throws: `InsertPlanError`
  func requireKey(_ key: [String], on policy: ConflictPolicy) throws(InsertPlanError) {
    guard !key.isEmpty else {
      guard policy == .fail || !uniqueness.isEmpty else {
        throw .noKey(entity: entity, policy)
      }
      return
    }
    let attributes = fields.filter {
      if case .attribute = $0.content { true } else { false }
    }.map(\.name)
    for name in key where !attributes.contains(name) {
      throw .badKey(name, entity: entity, known: attributes)
    }
  }
}
