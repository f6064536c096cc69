import StoreLayout
import StoreModel

/// Whether a version has a place for what another one holds, told by names and identifiers alone, and
/// without the code that infers mappings.
struct ModelPlaces {
  let source: Model
  let target: Model

  init(from source: Model, to target: Model) {
    self.source = source
    self.target = target
  }

  /// - Parameter loss: `Item`, or `Item.note`. Where a relationship leads elsewhere, or to fewer rows,
  ///   there is no place for all of it.
  func has(_ loss: String) -> Bool {
    let parts = loss.split(separator: ".", maxSplits: 1).map(String.init)
    guard let entity = source.entity(named: parts[0]) else { return false }
    guard parts.count == 2 else { return counterpart(of: entity) != nil }
    let members = source.subtree(of: entity).filter { !$0.isAbstract && counterpart(of: $0) != nil }
    return !members.isEmpty && members.allSatisfy { has(parts[1], of: $0) }
  }

  private func has(_ name: String, of entity: Entity) -> Bool {
    guard let other = counterpart(of: entity) else { return false }
    let (attribute, rest) = (name.prefix { $0 != "." }, name.drop { $0 != "." })
    if let old = source.attributes(of: entity).first(where: { $0.name == attribute }) {
      let new = target.attributes(of: other).first {
        $0.name == old.name && $0.isTransient == old.isTransient
      }
      guard let new, new.derivation == nil else { return false }
      guard !rest.isEmpty else { return true }
      return target.storedAttributes(of: other).contains { $0.name == name }
    }
    guard let old = source.relationships(of: entity).first(where: { $0.name == name }),
      let new = target.relationships(of: other).first(where: { $0.name == name }),
      !new.isTransient, new.isToMany || !old.isToMany,
      !isShared(old, in: source) || isShared(new, in: target),
      let old = source.entity(named: old.destination).flatMap(counterpart)
    else { return false }
    return target.entity(named: new.destination).map { target.isKind(old, of: $0) } ?? false
  }

  /// Whether several rows may have one destination.
  private func isShared(_ relationship: Relationship, in model: Model) -> Bool {
    guard let inverse = relationship.inverse,
      let destination = model.entity(named: relationship.destination)
    else { return true }
    return model.relationships(of: destination).first { $0.name == inverse }?.isToMany ?? true
  }

  /// Of the same name, or the only one that carries the name as its identifier.
  private func counterpart(of entity: Entity) -> Entity? {
    if let same = target.entity(named: entity.name) { return same }
    let renamed = target.entities.filter {
      $0.renamingIdentifier == entity.name && source.entity(named: $0.name) == nil
    }
    return renamed.count == 1 ? renamed[0] : nil
  }
}
