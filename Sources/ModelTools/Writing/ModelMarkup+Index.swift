import StoreModel

extension ModelMarkup {
  /// Compound indexes that follow each other stand in one element, so the order stays.
  func indexElements(of entity: Entity) -> [Markup] {
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

  private func element(of index: FetchIndex, in entity: Entity) -> Markup {
    var element = element("fetchIndex", for: .index(index.name, of: entity.name))
    element.add("name", index.name)
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

  /// Before Xcode 9 an index had properties and nothing else.
  private func compoundElement(of index: FetchIndex) -> Markup {
    var element = Markup("compoundIndex")
    element.children = index.elements.compactMap { part in
      guard case .property(let name) = part.target else { return nil }
      return valueElement("index", name)
    }
    return element
  }

  /// One element or none.
  func constraintElements(of entity: Entity) -> [Markup] {
    guard !entity.uniquenessConstraints.isEmpty else { return [] }
    var element = Markup("uniquenessConstraints")
    element.children = entity.uniquenessConstraints.map { names in
      var constraint = Markup("uniquenessConstraint")
      constraint.children = names.map { valueElement("constraint", $0) }
      return constraint
    }
    return [element]
  }

  private func valueElement(_ name: String, _ value: String) -> Markup {
    var element = Markup(name)
    element.add("value", value)
    return element
  }
}
