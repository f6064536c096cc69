package import StoreModel

extension DataModel {
  /// Returns the inverse of a relationship if the inverse isn't transient and refers back to the relationship.
  ///
  /// In real models, the inverse of a relationship can have a third relationship as its own inverse. Such a
  /// relationship is stored as if it had no inverse.
  package func sharedInverse(
    of relationship: RelationshipDescription, declaredBy entity: EntityDescription
  ) -> (RelationshipDescription, declaredBy: EntityDescription)? {
    guard let (inverse, owner) = inverse(of: relationship), !inverse.isTransient,
      let (back, backOwner) = self.inverse(of: inverse),
      back.name == relationship.name, backOwner.name == entity.name
    else { return nil }
    return (inverse, owner)
  }

  /// Returns the entity's own attributes with columns. A composite is replaced with its elements, whose names have the
  /// form `name.element`.
  package func storedAttributes(declaredBy entity: EntityDescription) -> [AttributeDescription] {
    entity.attributes.filter { !$0.isTransient }.flatMap { flattened($0, depth: 0) }
  }

  /// Returns the entity's own and inherited attributes with columns, sorted by name.
  package func storedAttributes(of entity: EntityDescription) -> [AttributeDescription] {
    ([entity] + ancestors(of: entity)).flatMap(storedAttributes(declaredBy:))
      .sorted { $0.name < $1.name }
  }

  private func flattened(_ attribute: AttributeDescription, depth: Int) -> [AttributeDescription] {
    guard case .composite(let name) = attribute.type else { return [attribute] }
    // A composite that contains itself would have more levels than there are composites.
    guard let composite = composite(named: name), depth < composites.count else { return [] }
    return composite.attributes.sorted { $0.name.precedes($1.name) }.flatMap { element in
      var element = element
      element.name = "\(attribute.name).\(element.name)"
      return flattened(element, depth: depth + 1)
    }
  }

  /// Returns the part of the model in a configuration, or the whole model for nil. The part includes ancestors, because
  /// an entity would lose inherited columns without them.
  package func limited(to configuration: ConfigurationDescription?) -> DataModel {
    guard let configuration else { return self }
    let members = configuration.entities.compactMap(entity(named:))
    let names = Set((members + members.flatMap(ancestors)).map(\.name))
    let kept = entities.filter { names.contains($0.name) }.map { entity in
      var entity = entity
      entity.relationships.removeAll { !names.contains($0.destination) }
      return entity
    }
    return with(kept, configurations)
  }
}
