package import StoreDiagnostics
import StoreLayout
package import StoreModel

extension Model {
  /// Warnings about `relatedByAttribute` in userInfo: names that are unknown, and places that disagree.
  package var importKeyFindings: [(diagnostic: Diagnostic, part: ModelPart)] {
    let keys = ImportKeys(model: self)
    return entities.flatMap { entity in
      unknownImportKeys(of: entity) + disagreements(about: entity, keys)
    }
  }

  private func unknownImportKeys(
    of entity: Entity
  ) -> [(diagnostic: Diagnostic, part: ModelPart)] {
    var found: [(diagnostic: Diagnostic, part: ModelPart)] = []
    if let name = entity.userInfo[ImportKeys.userInfoKey],
      let finding = unknownImportKey(name, of: entity, in: entity.name)
    {
      found.append((finding, .entity(entity.name)))
    }
    for relationship in entity.relationships {
      guard let name = relationship.userInfo[ImportKeys.userInfoKey],
        let destination = self.entity(named: relationship.destination),
        let finding = unknownImportKey(
          name, of: destination, in: "\(entity.name).\(relationship.name)")
      else { continue }
      found.append((finding, .property(relationship.name, of: entity.name)))
    }
    return found
  }

  private func unknownImportKey(
    _ name: String, of entity: Entity, in place: String
  ) -> Diagnostic? {
    let known = storedAttributes(of: entity).filter { $0.derivation == nil }.map(\.name)
    guard !known.contains(name) else { return nil }
    return Diagnostic(
      .warning, "model.import-key",
      "relatedByAttribute of '\(place)' names '\(name)', which isn't a stored attribute of "
        + "'\(entity.name)': imports ignore it", cause: .invalid
    ).didYouMean(name, among: known)
  }

  /// The relationships that lead to an entity win over the entity, if they agree among each other.
  private func disagreements(
    about entity: Entity, _ keys: ImportKeys
  ) -> [(diagnostic: Diagnostic, part: ModelPart)] {
    let known = Set(storedAttributes(of: entity).filter { $0.derivation == nil }.map(\.name))
    let leading = keys.attributes(leadingTo: [entity]).filter { known.contains($0.attribute) }
    guard let used = keys.key(of: entity)?.attributes.first else { return [] }
    let own = entity.userInfo[ImportKeys.userInfoKey].flatMap { known.contains($0) ? $0 : nil }
    return leading.compactMap { owner, relationship, attribute in
      guard let other = attribute == used ? own : used, other != attribute else { return nil }
      let source =
        attribute == used || other == own ? "'\(entity.name)'" : "another relationship"
      let finding = Diagnostic(
        .warning, "model.import-key-disagreement",
        "relatedByAttribute of '\(owner.name).\(relationship.name)' is '\(attribute)', that of "
          + "\(source) is '\(other)': imports identify objects of '\(entity.name)' by '\(used)'",
        cause: .invalid)
      return (finding, .property(relationship.name, of: owner.name))
    }
  }
}
