extension Model {
  /// The entity's parents, the nearest first.
  public func ancestors(of entity: Entity) -> [Entity] {
    var found: [Entity] = []
    var next = entity.parent.flatMap(self.entity(named:))
    while let parent = next, found.count < entities.count {
      found.append(parent)
      next = parent.parent.flatMap(self.entity(named:))
    }
    return found
  }

  /// The ancestor that has no parent, or the entity itself: its table holds the rows.
  public func root(of entity: Entity) -> Entity {
    ancestors(of: entity).last ?? entity
  }

  /// The entity and everything below it, parents before their children.
  public func subtree(of entity: Entity) -> [Entity] {
    [entity] + children(of: entity).flatMap(subtree)
  }

  public func isKind(_ entity: Entity, of ancestor: Entity) -> Bool {
    entity.name == ancestor.name || ancestors(of: entity).contains { $0.name == ancestor.name }
  }

  /// Own and inherited attributes, by name.
  public func attributes(of entity: Entity) -> [Attribute] {
    ([entity] + ancestors(of: entity)).flatMap(\.attributes).sorted { $0.name < $1.name }
  }

  /// Own and inherited relationships, by name.
  public func relationships(of entity: Entity) -> [Relationship] {
    ([entity] + ancestors(of: entity)).flatMap(\.relationships).sorted { $0.name < $1.name }
  }

  /// The property of that name, with the entity that declares it.
  public func property(named name: String, of entity: Entity) -> (Property, declaredBy: Entity)? {
    for owner in [entity] + ancestors(of: entity) {
      if let property = owner.property(named: name) { return (property, owner) }
    }
    return nil
  }

  /// The other side of a relationship that `entity` has; nil when it has none.
  public func inverse(of relationship: Relationship) -> (Relationship, declaredBy: Entity)? {
    guard let name = relationship.inverse,
      let destination = entity(named: relationship.destination),
      case (.relationship(let inverse), let owner)? = property(named: name, of: destination)
    else { return nil }
    return (inverse, owner)
  }
}
