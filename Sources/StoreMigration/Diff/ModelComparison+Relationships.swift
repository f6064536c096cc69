import StoreDiagnostics
import StoreModel

extension ModelComparison {
  /// Returns the changes of relationships that one of the two entities declares itself.
  func relationshipChanges(
    from old: EntityDescription, to new: EntityDescription, _ pair: EntityPair
  ) -> [ModelChange] {
    let kept = Set(pair.relationships.values)
    var changes = old.relationships.filter { !kept.contains($0.name) }.compactMap { relationship in
      removal(of: relationship, from: new)
    }
    for relationship in new.relationships {
      guard let name = pair.relationships[relationship.name],
        case (.relationship(let before), let owner)? = source.property(named: name, of: old)
      else {
        changes.append(addition(of: relationship, to: new, before: old))
        continue
      }
      if !owner.name.isExactly(old.name) {
        let moved = RelationshipChange.moved(from: owner.name, to: new.name)
        changes.append(.init(.relationship(relationship.name, of: new.name, moved), .hash))
      }
      changes += self.changes(from: before, to: relationship, of: new.name)
    }
    return changes + ascents(from: old, to: new, pair)
  }

  private func ascents(from old: EntityDescription, to new: EntityDescription, _ pair: EntityPair)
    -> [ModelChange]
  {
    pair.relationships.sorted { $0.key < $1.key }.flatMap { name, oldName -> [ModelChange] in
      guard let before = old.relationships.first(where: { $0.name.isExactly(oldName) }),
        case (.relationship(let after), let owner)? = target.property(named: name, of: new),
        !owner.name.isExactly(new.name)
      else { return [] }
      let moved = RelationshipChange.moved(from: old.name, to: owner.name)
      return [.init(.relationship(name, of: new.name, moved), .hash)]
        + changes(from: before, to: after, of: new.name)
    }
  }

  private func removal(of relationship: RelationshipDescription, from new: EntityDescription)
    -> ModelChange?
  {
    if case .attribute? = target.property(namedExactly: relationship.name, of: new),
      pairing.pair(toTarget: new.name)?.attributes[relationship.name] == nil
    {
      return nil
    }
    let change = RelationshipChange.removed(relationship)
    return .init(
      .relationship(relationship.name, of: new.name, change),
      relationship.isTransient ? .none : .hash)
  }

  private func addition(
    of relationship: RelationshipDescription, to new: EntityDescription,
    before old: EntityDescription
  ) -> ModelChange {
    var change = RelationshipChange.added(
      relationship, resembles: resemblance.source(of: relationship, in: new.name))
    if case .attribute? = source.property(namedExactly: relationship.name, of: old),
      !(pairing.pair(toTarget: new.name)?.attributes.values.containsExactly(relationship.name)
        ?? false)
    {
      change = .wasAttribute
    }
    return .init(
      .relationship(relationship.name, of: new.name, change),
      relationship.isTransient ? .none : .hash)
  }

  private func changes(
    from old: RelationshipDescription, to new: RelationshipDescription, of entity: String
  ) -> [ModelChange] {
    let effect: ModelChange.Effect = old.isTransient && new.isTransient ? .none : .hash
    return
      (hashedChanges(from: old, to: new).map { ($0, effect) }
      + sideChanges(from: old, to: new).map { ($0, .none) })
      .map { .init(.relationship(new.name, of: entity, $0), $1) }
  }

  private func hashedChanges(
    from old: RelationshipDescription, to new: RelationshipDescription
  ) -> [RelationshipChange] {
    let kinship = kinship(of: new.destination, to: old.destination)
    let changes: [RelationshipChange?] = [
      old.name.isExactly(new.name) ? nil : .renamed(from: old.name),
      Replacement(old.cardinality, new.cardinality).map(RelationshipChange.cardinality),
      Replacement(old.destination, new.destination).map { .destination($0, kinship) },
      Replacement(old.inverse, new.inverse)
        .map { .inverse($0, isRename: isSameInverse(old, new)) },
      Replacement(old.counts, new.counts).map(RelationshipChange.counts),
      old.isOptional == new.isOptional ? nil : .isOptional(new.isOptional),
      old.isTransient == new.isTransient ? nil : .isTransient(new.isTransient),
      Replacement(old.versionHashModifier, new.versionHashModifier)
        .map(RelationshipChange.hashModifier),
    ]
    return changes.compactMap(\.self)
  }

  private func sideChanges(from old: RelationshipDescription, to new: RelationshipDescription)
    -> [RelationshipChange]
  {
    let keys = old.userInfo.keys(changedTo: new.userInfo)
    let changes: [RelationshipChange?] = [
      Replacement(old.deleteRule, new.deleteRule).map(RelationshipChange.deleteRule),
      old.isIndexed == new.isIndexed ? nil : .isIndexed(new.isIndexed),
      Replacement(identifierOf: old.renamable, new.renamable)
        .map(RelationshipChange.renamingIdentifier),
      Replacement(old.renamable.canonical, new.renamable.canonical)
        .map(RelationshipChange.identifierMismatch),
      keys.isEmpty ? nil : .userInfo(keys: keys),
    ]
    return changes.compactMap(\.self)
  }

  /// Compares the destinations in both models, because each destination may exist in only one model.
  private func kinship(of new: String, to old: String) -> RelationshipChange.Kinship {
    let successor = pairing.pair(fromSource: old)?.target
    if new.isExactly(successor) { return .renamed }
    if let successor, let kinship = kinship(of: new, to: successor, in: target) { return kinship }
    if let origin = pairing.pair(toTarget: new)?.source,
      let kinship = kinship(of: origin, to: old, in: source)
    {
      return kinship
    }
    return .unrelated
  }

  private func kinship(
    of name: String, to other: String, in model: DataModel
  ) -> RelationshipChange.Kinship? {
    guard let entity = model.entity(named: name), let other = model.entity(named: other) else {
      return nil
    }
    if model.isKind(other, of: entity) { return .ancestor }
    return model.isKind(entity, of: other) ? .descendant : nil
  }

  private func isSameInverse(_ old: RelationshipDescription, _ new: RelationshipDescription) -> Bool
  {
    guard let name = new.inverse, let pair = pairing.pair(toTarget: new.destination) else {
      return false
    }
    return pair.relationships[name].isExactly(old.inverse)
  }
}

extension DataModel {
  /// Returns the own or inherited property of the entity whose name is equal byte by byte.
  func property(namedExactly name: String, of entity: EntityDescription) -> PropertyDescription? {
    property(named: name, of: entity).flatMap { $0.0.name.isExactly(name) ? $0.0 : nil }
  }
}

extension RelationshipDescription {
  /// The counts, with nil in place of default values: a minimum of 0, a maximum of 1 for a to-one, and no maximum for a
  /// to-many.
  fileprivate var counts: RelationshipChange.CountRange {
    .init(
      minimum: minimumCount == 0 ? nil : minimumCount,
      maximum: maximumCount == (isToMany ? 0 : 1) ? nil : maximumCount)
  }
}
