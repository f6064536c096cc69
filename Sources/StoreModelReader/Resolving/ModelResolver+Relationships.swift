import StoreModel

extension ModelResolver {
  mutating func check(_ relationship: RelationshipSyntax, of entity: EntitySyntax) {
    guard let destinationName = relationship.destination else { return }
    guard let destination = entities[destinationName.text] else {
      findings.report(
        NameIssue.unknownEntity(
          destinationName.text, role: "destination entity", known: entityNames),
        at: destinationName.spot)
      return
    }
    checkInverseEntity(of: relationship, destination: destination)
    guard let inverse = relationship.inverse else {
      findings.report(
        RelationshipIssue.noInverse("\(entity.name.text).\(relationship.name.text)"),
        at: relationship.name.spot)
      return
    }
    checkInverse(inverse, of: relationship, from: entity, to: destination)
  }

  private mutating func checkInverseEntity(
    of relationship: RelationshipSyntax, destination: EntitySyntax
  ) {
    guard let name = relationship.inverseEntity else { return }
    guard entities[name.text] != nil else {
      findings.report(
        NameIssue.unknownEntity(
          name.text, role: "inverse's entity", known: entityNames),
        at: name.spot)
      return
    }
    let fitting = [destination] + ancestors(of: destination)
    if !fitting.contains(where: { $0.name.text == name.text }) {
      findings.report(
        RelationshipIssue.inverseEntityUnrelated(
          name.text, destination: destination.name.text),
        at: name.spot)
    }
  }

  private mutating func checkInverse(
    _ inverse: PlacedName, of relationship: RelationshipSyntax, from entity: EntitySyntax,
    to destination: EntitySyntax
  ) {
    guard let (other, owner) = self.relationship(named: inverse.text, of: destination) else {
      reportMissing(inverse, in: destination)
      return
    }
    let name = "\(entity.name.text).\(relationship.name.text)"
    if owner.name.text == entity.name.text, other.name.text == relationship.name.text {
      findings.report(RelationshipIssue.ownInverse(name), at: inverse.spot)
    } else if other.inverse?.text != relationship.name.text
      || !areKin(other.relationship.destination, entity)
    {
      let back = other.inverse.map { "\(other.relationship.destination).\($0.text)" }
      findings.report(
        RelationshipIssue.asymmetric(
          name, inverse: "\(owner.name.text).\(other.name.text)", leadsBackTo: back),
        at: inverse.spot)
    }
  }

  private mutating func reportMissing(_ inverse: PlacedName, in destination: EntitySyntax) {
    let chain = [destination] + ancestors(of: destination)
    let isAttribute = chain.contains { $0.attributes.contains { $0.name.text == inverse.text } }
    let known = chain.flatMap { $0.relationships.map(\.name.text) }.sorted()
    findings.report(
      isAttribute
        ? RelationshipIssue.inverseIsNoRelationship(
          inverse.text, destination: destination.name.text)
        : RelationshipIssue.unknownInverse(
          inverse.text, destination: destination.name.text, known: known),
      at: inverse.spot)
  }

  /// An entity's own relationship of that name, or else one that it inherits.
  private func relationship(
    named name: String, of entity: EntitySyntax
  ) -> (RelationshipSyntax, declaredBy: EntitySyntax)? {
    for owner in [entity] + ancestors(of: entity) {
      if let found = owner.relationships.first(where: { $0.name.text == name }) {
        return (found, owner)
      }
    }
    return nil
  }

  /// The same entity, or one above or below the other.
  private func areKin(_ name: String, _ entity: EntitySyntax) -> Bool {
    guard let other = entities[name] else { return false }
    return name == entity.name.text
      || ancestors(of: entity).contains { $0.name.text == name }
      || ancestors(of: other).contains { $0.name.text == entity.name.text }
  }
}
