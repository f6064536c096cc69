public import StoreDiagnostics

extension Model {
  /// The entity of a name that a user typed.
  ///
  /// - Throws: `ModelLookupError` with the names that exist.
  public func requireEntity(named name: String) throws(ModelLookupError) -> Entity {
    guard let found = entity(named: name) else {
      throw .unknownEntity(name, known: entities.map(\.name))
    }
    return found
  }

  /// The fetch-request template, or the fetched property, of a name that a user typed.
  ///
  /// - Throws: `ModelLookupError` with the names that exist.
  public func requireTemplate(named name: String) throws(ModelLookupError) -> FetchRequestTemplate {
    guard let found = template(named: name) else {
      throw .unknownTemplate(name, known: (templates + fetchedPropertyTemplates).map(\.name))
    }
    return found
  }
}

/// A name that a model does not have.
public enum ModelLookupError: DiagnosableError, Hashable {
  case unknownEntity(String, known: [String])
  case unknownTemplate(String, known: [String])
  /// Of the versions of a model.
  case unknownVersion(String, known: [String])

  public var diagnostics: [Diagnostic] {
    switch self {
    case .unknownEntity(let name, let known):
      [
        Diagnostic(
          .error, "model.unknown-entity", "the model has no entity '\(name)'", cause: .notFound
        ).didYouMean(name, among: known, elseListing: "its entities are")
      ]
    case .unknownTemplate(let name, let known):
      [
        Diagnostic(
          .error, "model.unknown-template", "the model has no fetch-request template '\(name)'",
          cause: .notFound
        ).didYouMean(name, among: known).helping(.model(.listTemplates))
      ]
    case .unknownVersion(let name, let known):
      [
        Diagnostic(
          .error, "model.unknown-version", "the model has no version '\(name)'", cause: .notFound
        ).didYouMean(name, among: known, elseListing: "its versions are")
      ]
    }
  }
}
