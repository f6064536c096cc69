import StoreModel

extension ModelDecoder {
  mutating func decodeEntity(_ element: XMLElement) -> EntitySyntax {
    let name = ownName(of: element)
    let entity = Entity(
      name: name.text, isAbstract: flag("isAbstract", of: element),
      className: text("representedClassName", of: element),
      codeGeneration: text("codeGenerationType", of: element),
      renamingIdentifier: text("elementID", of: element),
      versionHashModifier: text("versionHashModifier", of: element),
      userInfo: userInfo(of: element))
    var syntax = EntitySyntax(
      name: name, parent: optionalName("parentEntity", of: element), entity: entity)
    for child in element.children { decodeProperty(child, into: &syntax) }
    return syntax
  }

  private mutating func decodeProperty(_ child: XMLElement, into syntax: inout EntitySyntax) {
    let owner = syntax.name.text
    switch child.name {
    case "attribute":
      syntax.attributes.append(decodeAttribute(child, of: owner))
    case "relationship":
      syntax.relationships.append(decodeRelationship(child))
    case "fetchedProperty":
      if let fetched = decodeFetchedProperty(child) { syntax.fetchedProperties.append(fetched) }
    case "fetchIndex":
      syntax.indexes.append(decodeFetchIndex(child, of: owner))
    case "compoundIndexes":
      for index in child.children(named: "compoundIndex") {
        syntax.indexes.append(decodeCompoundIndex(index))
      }
    case "uniquenessConstraints":
      for constraint in child.children(named: "uniquenessConstraint") {
        let names = constraint.children(named: "constraint")
          .compactMap { requiredName("value", of: $0) }
        if !names.isEmpty { syntax.uniquenessConstraints.append(names) }
      }
    default: return
    }
  }
}
