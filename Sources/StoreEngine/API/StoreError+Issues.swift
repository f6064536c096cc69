import StoreDiagnostics
public import StorePredicate

extension StoreError {
  /// A rejected value of a property.
  public struct Issue: Hashable, Sendable {
    /// The entity of the row. `nil` if the request concerned several entities.
    public let entity: String?
    /// The attribute or relationship. An element of a composite attribute has a path, such as `place.street`. `nil` if
    /// the issue concerns the whole row.
    public let property: String?
    /// The object ID of the row. `nil` for a new row.
    public let objectID: ObjectID?
    /// The reason of the rejection, as a sentence in English.
    public let message: String
  }

  /// The rejected values, for example for a form that shows each message beside its field.
  ///
  ///     do {
  ///       try await store.update(tea) { $0.price = price }
  ///     } catch let error as StoreError where !error.issues.isEmpty {
  ///       for issue in error.issues { messages[issue.property ?? "", default: []].append(issue.message) }
  ///     }
  ///
  /// There is one issue for each property of each diagnostic, so a violated uniqueness constraint of two attributes has
  /// two issues. The array is empty for errors that aren't about values, such as `locked`.
  public var issues: [Issue] {
    diagnostics.flatMap { diagnostic -> [Issue] in
      guard let subject = diagnostic.subject else { return [] }
      var id: ObjectID?
      if let entity = subject.entity, let key = subject.primaryKey {
        id = ObjectID(store: store, entity: entity, primaryKey: key)
      }
      let properties: [String?] = subject.properties.isEmpty ? [nil] : subject.properties
      return properties.map {
        Issue(entity: subject.entity, property: $0, objectID: id, message: diagnostic.message)
      }
    }
  }
}
