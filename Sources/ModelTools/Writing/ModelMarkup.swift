import StoreModel
import StorePredicate

/// Creates the elements of a model with the attributes that Xcode writes, in Xcode's order.
///
/// Attributes that a `DataModel` doesn't contain, such as the version of the tools, have the values of a new file in
/// Xcode.
struct ModelMarkup {
  let model: DataModel
  let comments: [ModelPart: String]

  func root(note: String?) -> Markup {
    var root = Markup(
      "model",
      [
        "type": "com.apple.IDECoreDataModeler.DataModel", "documentVersion": "1.0",
        "lastSavedToolsVersion": "1", "systemVersion": "11A491",
        "minimumToolsVersion": "Automatic", "sourceLanguage": "Swift",
        "userDefinedModelVersionIdentifier": model.versionIdentifiers.joined(separator: ","),
      ])
    root.note = note
    root.isAlwaysClosed = true
    root.children =
      inOrder(model.entities, of: \.name).map(element(of:))
      + inOrder(model.templates, of: \.name).map(element(ofTemplate:))
      + model.configurations.map(element(of:)) + model.composites.map(element(of:))
    return root
  }

  private func element(of entity: EntityDescription) -> Markup {
    var element = element("entity", for: .entity(entity.name))
    element.add("representedClassName", entity.className)
    element.add("isAbstract", ifSo: entity.isAbstract)
    element.add("parentEntity", entity.parent)
    element.add("elementID", entity.renamingIdentifier)
    element.add("versionHashModifier", entity.versionHashModifier)
    element.add("syncable", "YES")
    element.add("codeGenerationType", entity.codeGeneration)
    element.children =
      inOrder(entity.attributes, of: \.name).map { self.element(of: $0, in: entity) }
      + inOrder(entity.relationships, of: \.name).map { self.element(of: $0, in: entity) }
      + inOrder(entity.fetchedProperties, of: \.name).map { self.element(of: $0, in: entity) }
      + indexElements(of: entity) + constraintElements(of: entity)
      + userInfoElements(of: entity.userInfo)
    return element
  }

  private func element(of configuration: ConfigurationDescription) -> Markup {
    var element = element("configuration", for: .configuration(configuration.name))
    element.children = configuration.entities.map { Markup("memberEntity", ["name": $0]) }
    return element
  }

  private func element(of composite: CompositeDescription) -> Markup {
    var element = element("composite", for: .composite(composite.name))
    element.children = composite.attributes.map { self.element(of: $0) }
    return element
  }

  /// Returns parts in Xcode's order of names, which is the Finder's: `id` before `ID2`, `item2` before `item10`.
  private func inOrder<Part>(_ parts: [Part], of name: (Part) -> String) -> [Part] {
    parts.sorted { NaturalOrder.isLess(name($0), name($1)) }
  }

  /// Returns the element of a part with its name and its comment.
  func element(_ kind: String, for part: ModelPart) -> Markup {
    let name =
      switch part {
      case .entity(let name), .property(let name, of: _), .index(let name, of: _),
        .template(let name), .configuration(let name), .composite(let name):
        name
      }
    var element = Markup(kind, ["name": name])
    element.comment = comments[part]
    return element
  }

  /// Returns a `userInfo` element, or an empty array if `userInfo` is empty.
  func userInfoElements(of userInfo: [String: String]) -> [Markup] {
    let entries = userInfo.sorted { $0.key < $1.key }.map {
      Markup("entry", ["key": $0.key, "value": $0.value])
    }
    return entries.isEmpty ? [] : [Markup("userInfo", children: entries)]
  }

  func element(ofTemplate template: FetchRequestTemplate) -> Markup {
    var element = element(of: template)
    element.comment = comments[.template(template.name)]
    return element
  }

  /// Returns the element of a template, or of a fetched property's request. Values that are the default of
  /// `NSFetchRequest` are omitted. The attributes have Xcode's names, which are inconsistent, such as
  /// `includeSubentities` and `includesPendingChanges`.
  func element(of request: FetchRequestTemplate) -> Markup {
    var element = Markup("fetchRequest")
    element.add("name", request.name)
    element.add("entity", request.entity)
    element.add("predicateString", request.predicateText?.text ?? request.predicate?.format)
    if request.limit != 0 { element.add("fetchLimit", request.limit.description) }
    if request.batchSize != 0 { element.add("fetchBatchSize", request.batchSize.description) }
    if !request.includesSubentities { element.add("includeSubentities", "NO") }
    if !request.includesPropertyValues { element.add("includePropertyValues", "NO") }
    if !request.returnsObjectsAsFaults { element.add("returnObjectsAsFaults", "NO") }
    element.add("returnDistinctResults", ifSo: request.returnsDistinctResults)
    if !request.includesPendingChanges { element.add("includesPendingChanges", "NO") }
    if request.resultType != .objects {
      element.add("resultType", request.resultType.rawValue.description)
    }
    return element
  }

  func element(of relationship: RelationshipDescription, in entity: EntityDescription) -> Markup {
    var element = element("relationship", for: .property(relationship.name, of: entity.name))
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
      // The inverse can be declared by an ancestor of the destination.
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

  /// Returns the element of a fetched property, which Xcode always marks as optional.
  func element(of fetched: FetchedProperty, in entity: EntityDescription) -> Markup {
    var element = element("fetchedProperty", for: .property(fetched.name, of: entity.name))
    element.add("optional", "YES")
    element.children =
      [self.element(of: fetched.request)] + userInfoElements(of: fetched.userInfo)
    return element
  }

  /// Returns the elements of indexes. Consecutive compound indexes share an element. After a fetch index, a new element
  /// begins, so that the order of all indexes is kept.
  func indexElements(of entity: EntityDescription) -> [Markup] {
    var elements: [Markup] = []
    for index in entity.indexes {
      switch index.origin {
      case .fetchIndex: elements.append(element(of: index, in: entity))
      case .compoundIndex:
        if elements.last?.name != "compoundIndexes" { elements.append(Markup("compoundIndexes")) }
        elements[elements.count - 1].children.append(compoundElement(of: index))
      }
    }
    return elements
  }

  private func element(of index: FetchIndex, in entity: EntityDescription) -> Markup {
    var element = element("fetchIndex", for: .index(index.name, of: entity.name))
    element.add("partialIndexPredicate", index.partialPredicate)
    element.children = index.elements.map(self.element(of:))
    return element
  }

  private func element(of part: FetchIndex.Element) -> Markup {
    var element = Markup("fetchIndexElement")
    switch part.target {
    case .property(let name): element.add("property", name)
    case .expression(let text, let type):
      element.add("expression", text)
      element.add("expressionType", type == .undefined ? nil : type.name)
    }
    element.add("type", part.kind.rawValue)
    element.add("order", part.isAscending ? "ascending" : "descending")
    return element
  }

  /// Returns the element of a compound index. Before Xcode 9, an index only had properties.
  private func compoundElement(of index: FetchIndex) -> Markup {
    let properties = index.elements.compactMap { part in
      if case .property(let name) = part.target { Markup("index", ["value": name]) } else { nil }
    }
    return Markup("compoundIndex", children: properties)
  }

  /// Returns a `uniquenessConstraints` element, or an empty array if the entity has no constraints.
  func constraintElements(of entity: EntityDescription) -> [Markup] {
    let constraints = entity.uniquenessConstraints.map { names in
      Markup("uniquenessConstraint", children: names.map { Markup("constraint", ["value": $0]) })
    }
    return constraints.isEmpty ? [] : [Markup("uniquenessConstraints", children: constraints)]
  }
}
