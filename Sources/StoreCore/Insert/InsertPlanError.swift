package import StoreModel
package import StoreDiagnostics

/// Why no rows of an entity can be written.
package enum InsertPlanError: DiagnosableError, Hashable {
  case unknownEntity(String, known: [String])
  case abstractEntity(String, concrete: [String])
  /// Records are to meet rows of an entity without a uniqueness constraint.
  case noKey(entity: String, ConflictPolicy)
  /// A key names something that isn't a stored attribute.
  case badKey(String, entity: String, known: [String])

  package var diagnostics: [Diagnostic] {
    switch self {
    case .unknownEntity(let name, let known):
      [
        Diagnostic(
          .error, "model.unknown-entity", "the model has no entity '\(name)'", cause: .notFound
        ).didYouMean(name, among: known)
      ]
    case .abstractEntity(let name, let concrete):
      [
        Diagnostic(
          .error, "insert.abstract-entity", "'\(name)' is abstract and has no rows of its own",
          help: concrete.isEmpty
            ? [] : ["name one of: \(concrete.joined(separator: ", "))"])
      ]
    case .noKey(let entity, let policy):
      [
        Diagnostic(
          .error, "insert.no-key",
          "'\(entity)' has no uniqueness constraint by which '\(policy.rawValue)' could find rows",
          cause: .usage
        ).helping(.importing(.chooseKey(entity: entity)))
      ]
    case .badKey(let name, let entity, let known):
      [
        Diagnostic(
          .error, "insert.bad-key", "'\(entity)' has no stored attribute '\(name)' for a key",
          cause: .notFound
        ).didYouMean(name, among: known)
      ]
    }
  }
}

extension InsertPlan {
  /// - Throws: `InsertPlanError` where a policy needs to find rows and nothing identifies them.
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
