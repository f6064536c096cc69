import StoreModel

extension ModelMarkup {
  func element(of relationship: Relationship, in entity: Entity) -> Markup {
    var element = element(
      "relationship", for: .property(relationship.name, of: entity.name))
    element.add("name", relationship.name)
    element.add("optional", ifSo: relationship.isOptional)
    element.add("transient", ifSo: relationship.isTransient)
    element.add("toMany", ifSo: relationship.isToMany)
    element.add("minCount", relationship.minimumCount?.description)
    element.add("maxCount", relationship.maximumCount?.description)
    element.add("deletionRule", relationship.deleteRule.rawValue)
    element.add("ordered", ifSo: relationship.isOrdered || relationship.isOrderedToOne)
    element.add("destinationEntity", relationship.destination)
    if let inverse = relationship.inverse {
      element.add("inverseName", inverse)
      // A parent of the destination may declare it.
      element.add(
        "inverseEntity",
        model.inverse(of: relationship)?.declaredBy.name ?? relationship.destination)
    }
    element.add("indexed", ifSo: relationship.isIndexed)
    element.add("elementID", relationship.renamingIdentifier)
    element.add("versionHashModifier", relationship.versionHashModifier)
    element.children = userInfoElements(of: relationship.userInfo)
    return element
  }

  /// Fetched properties are always optional.
  func element(of fetched: FetchedProperty, in entity: Entity) -> Markup {
    var element = element("fetchedProperty", for: .property(fetched.name, of: entity.name))
    element.add("name", fetched.name)
    element.add("optional", "YES")
    element.children =
      [self.element(of: fetched.request)] + userInfoElements(of: fetched.userInfo)
    return element
  }
}
