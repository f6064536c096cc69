import StoreModel
import StorePredicate

extension ModelEncoder {
  /// Returns the values of indexes. In a file only entities with indexes have them. In a store, all entities have both
  /// lists, or none.
  mutating func indexValues(of entity: Entity) -> Values {
    let isWritten =
      switch form {
      case .file: !entity.indexes.isEmpty
      case .store: model.entities.contains { !self.indexes(of: $0).isEmpty }
      }
    guard isWritten else { return [] }
    let indexes = self.indexes(of: entity)
    let members = indexes.compactMap { index(named: $0.name, $0.index, of: entity) }
    let compound = indexes.map(\.index).filter { $0.elements.count > 1 }
      .compactMap { listedNames(of: $0, in: entity) }
    return [
      (ArchivedKey.fetchIndexes, .object(archive.collection(members, as: .mutableArray))),
      (ArchivedKey.compoundIndexes, .object(names(compound))),
    ]
  }

  /// Returns whether the model has an index of this property alone.
  func isIndexed(_ property: Property, in entity: Entity) -> Bool {
    let isFlagged =
      switch property {
      case .attribute(let attribute): attribute.isIndexed
      case .relationship(let relationship): relationship.isIndexed
      case .fetched: false
      }
    let owners = [entity] + model.ancestors(of: entity)
    return isFlagged || owners.contains { $0.indexes.contains { $0.single == property.name } }
  }

  /// Returns the indexes. In a store, the indexes of flags are first, with the names of their properties.
  private func indexes(of entity: Entity) -> [(name: String, index: FetchIndex)] {
    let written = entity.indexes.map { (name: $0.archivedName, index: $0) }
    guard form == .store else { return written }
    let own =
      entity.attributes.map { Property.attribute($0) }
      + entity.relationships.map { Property.relationship($0) }
    let flagged = own.filter { isIndexed($0, in: entity) }.map(\.name)
      .filter { name in !written.contains { $0.name == name } }.sorted()
    return flagged.map { name in
      (name: name, index: FetchIndex(name: name, elements: [.init(.property(name))]))
    } + written
  }

  /// Returns the names in the old list, which can't contain relationships.
  private func listedNames(of index: FetchIndex, in entity: Entity) -> [String]? {
    let attributes = Set(model.attributes(of: entity).map(\.name))
    let isListed = index.elements.allSatisfy { element in
      if case .property(let name) = element.target { attributes.contains(name) } else { true }
    }
    return isListed ? index.elements.map(\.target.listedName) : nil
  }

  /// Returns nil with a note if a text of the index can't be read.
  private mutating func index(
    named name: String, _ index: FetchIndex, of entity: Entity
  ) -> Reference? {
    do throws(PredicateSyntaxError) {
      let reference = archive.reserve()
      let condition = try index.partialPredicate.map { text throws(PredicateSyntaxError) in
        try FormatPredicate(parsing: text)
      }
      var elements: [Reference] = []
      for element in index.elements { elements.append(try self.element(element, of: reference)) }
      let predicate = condition.map { archive.predicate($0) } ?? .null
      archive.fill(
        reference, .fetchIndex,
        [
          (ArchivedKey.indexName, text(name)),
          (ArchivedKey.entity, .object(self.reference(to: entity.name))),
          (ArchivedKey.partialPredicate, .object(predicate)),
          (ArchivedKey.indexElements, .object(archive.collection(elements))),
        ])
      return reference
    } catch {
      omit(.index(name, of: entity.name), because: "its text can't be read")
      return nil
    }
  }

  private mutating func element(
    _ element: FetchIndex.Element, of index: Reference
  ) throws(PredicateSyntaxError) -> Reference {
    var values: Values = [
      (ArchivedKey.fetchIndex, .object(index)),
      (ArchivedKey.indexElementType, .integer(ArchivedCode.indexKinds.code(of: element.kind))),
      (ArchivedKey.isAscending, .boolean(element.isAscending)),
    ]
    switch element.target {
    case .property(let name): values.append((ArchivedKey.propertyName, text(name)))
    case .expression(let text, let type):
      expressionCount += 1
      let name = "expression\(expressionCount)"
      let description = try expression(text, type: type, named: name)
      values += [
        (ArchivedKey.propertyName, self.text(name)),
        (ArchivedKey.indexedProperty, .object(description)),
      ]
    }
    return archive.object(.fetchIndexElement, values)
  }

  /// Writes a property that doesn't belong to an entity.
  private mutating func expression(
    _ text: String, type: AttributeType, named name: String
  ) throws(PredicateSyntaxError) -> Reference {
    let expression = try FormatExpression(parsing: text)
    let facts = PropertyFacts(
      name: name, isOptional: true, isReadOnly: true, isTransient: false, userInfo: [:])
    return archive.object(
      .expressionDescription,
      values(of: facts, in: nil) + [
        (ArchivedKey.indexedExpression, .object(archive.expression(expression))),
        (ArchivedKey.expressionResultType, .integer(ArchivedCode.code(of: type))),
      ])
  }
}

extension FetchIndex {
  /// The name. A compound index has none.
  fileprivate var archivedName: String {
    guard origin == .compoundIndex else { return name }
    return elements.map(\.target.text).joined(separator: "_")
  }

  /// The property if this is a plain index of one property. An index with the property's name doesn't need the flag.
  fileprivate var single: String? {
    guard elements.count == 1, partialPredicate == nil, elements[0].kind == .binary,
      elements[0].isAscending, case .property(let property) = elements[0].target, property != name
    else { return nil }
    return property
  }
}
