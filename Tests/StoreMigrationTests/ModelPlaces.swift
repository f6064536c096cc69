import StoreLayout
import StoreModel

/// Whether a version can store the data of another one. It depends only on names and identifiers, and doesn't use the
/// code that infers mappings.
struct ModelPlaces {
  let source: DataModel
  let target: DataModel

  init(from source: DataModel, to target: DataModel) {
    self.source = source
    self.target = target
  }

  /// - Parameter loss: `Item`, or `Item.note`. The result is false for a relationship whose destination differs or that
  ///   can reference fewer rows.
  func has(_ loss: String) -> Bool {
    let parts = loss.split(separator: ".", maxSplits: 1).map(String.init)
    guard let entity = source.entity(named: parts[0]) else { return false }
    guard parts.count == 2 else { return counterpart(of: entity) != nil }
    let members = source.subtree(of: entity).filter { !$0.isAbstract && counterpart(of: $0) != nil }
    return !members.isEmpty && members.allSatisfy { has(parts[1], of: $0) }
  }

  private func has(_ name: String, of entity: EntityDescription) -> Bool {
    guard let other = counterpart(of: entity) else { return false }
    let (attribute, rest) = (name.prefix { $0 != "." }, name.drop { $0 != "." })
    if let old = source.attributes(of: entity).first(where: { $0.name == attribute }) {
      let found = Self.counterpart(
        of: Named(old.name, old.renamingIdentifier),
        among: source.attributes(of: entity).map { Named($0.name, $0.renamingIdentifier) },
        in: target.attributes(of: other).map { Named($0.name, $0.renamingIdentifier) })
      let new = target.attributes(of: other).first {
        $0.name == found && $0.isTransient == old.isTransient
      }
      guard let new, new.derivation == nil else { return false }
      guard !rest.isEmpty else { return true }
      return target.storedAttributes(of: other).contains { $0.name == new.name + rest }
    }
    guard let old = source.relationships(of: entity).first(where: { $0.name == name }),
      let found = Self.counterpart(
        of: Named(old.name, old.renamingIdentifier),
        among: source.relationships(of: entity).map { Named($0.name, $0.renamingIdentifier) },
        in: target.relationships(of: other).map { Named($0.name, $0.renamingIdentifier) }),
      let new = target.relationships(of: other).first(where: { $0.name == found }),
      !new.isTransient, new.isToMany || !old.isToMany,
      !isShared(old, in: source) || isShared(new, in: target),
      let old = source.entity(named: old.destination).flatMap(counterpart)
    else { return false }
    return target.entity(named: new.destination).map { target.isKind(old, of: $0) } ?? false
  }

  /// Whether several rows may have the same destination.
  private func isShared(_ relationship: RelationshipDescription, in model: DataModel) -> Bool {
    guard let inverse = relationship.inverse,
      let destination = model.entity(named: relationship.destination)
    else { return true }
    return model.relationships(of: destination).first { $0.name == inverse }?.isToMany ?? true
  }

  private func counterpart(of entity: EntityDescription) -> EntityDescription? {
    Self.counterpart(
      of: Named(entity.name, entity.renamingIdentifier),
      among: source.entities.map { Named($0.name, $0.renamingIdentifier) },
      in: target.entities.map { Named($0.name, $0.renamingIdentifier) }
    ).flatMap(target.entity(named:))
  }

  private struct Named {
    var name: String
    /// The renaming identifier, or the name if there isn't one.
    var canonical: String

    init(_ name: String, _ identifier: String?) {
      self.name = name
      canonical = identifier ?? name
    }
  }

  /// Returns the only counterpart with the same canonical identifier. Otherwise returns the counterpart with the same
  /// name, unless the other side contains the canonical identifier of either.
  private static func counterpart(
    of old: Named, among known: [Named], in others: [Named]
  ) -> String? {
    let alike = others.filter { $0.canonical == old.canonical }
    let rivals = known.filter { $0.canonical == old.canonical }
    guard alike.isEmpty else {
      return alike.count == 1 && rivals.count == 1 ? alike[0].name : nil
    }
    let same = others.first { $0.name == old.name }
    return same.flatMap { same in
      let names = Set(known.flatMap { [$0.name, $0.canonical] })
      return names.contains(same.canonical) && same.canonical != same.name ? nil : same.name
    }
  }
}
