import StoreModel

extension ModelDecoder {
  mutating func decodeRelationship(_ element: XMLElement) -> RelationshipSyntax {
    let name = ownName(of: element)
    let destination = requiredName("destinationEntity", of: element)
    let cardinality = decodeCardinality(of: element, named: name.text)
    let relationship = Relationship(
      name: name.text, destination: destination?.text ?? "",
      inverse: text("inverseName", of: element),
      cardinality: cardinality,
      isOptional: flag("optional", of: element), isTransient: flag("transient", of: element),
      minimumCount: integer("minCount", of: element),
      maximumCount: integer("maxCount", of: element),
      isOrderedToOne: cardinality == .toOne && flag("ordered", of: element),
      deleteRule: word("deletionRule", of: element, among: Self.deleteRules) ?? .nullify,
      isIndexed: flag("indexed", of: element), renamingIdentifier: text("elementID", of: element),
      versionHashModifier: text("versionHashModifier", of: element),
      userInfo: userInfo(of: element))
    return RelationshipSyntax(
      name: name, destination: destination, inverse: optionalName("inverseName", of: element),
      inverseEntity: optionalName("inverseEntity", of: element), relationship: relationship)
  }

  private static let deleteRules = Relationship.DeleteRule.allCases.map { (name: $0.rawValue, $0) }

  private mutating func decodeCardinality(
    of element: XMLElement, named name: String
  ) -> Relationship.Cardinality {
    let isOrdered = flag("ordered", of: element)
    if flag("toMany", of: element) { return .toMany(ordered: isOrdered) }
    if isOrdered {
      findings.report(RelationshipIssue.orderedToOne(name), at: element.spot(of: "ordered"))
    }
    return .toOne
  }

  mutating func decodeFetchedProperty(_ element: XMLElement) -> FetchedPropertySyntax? {
    let name = ownName(of: element)
    guard let child = element.children(named: "fetchRequest").first else {
      findings.report(ShapeIssue.noFetchRequest(name.text), at: element.spot)
      return nil
    }
    let request = decodeFetchRequest(child, of: name.text)
    return FetchedPropertySyntax(name: name, request: request, userInfo: userInfo(of: element))
  }
}
