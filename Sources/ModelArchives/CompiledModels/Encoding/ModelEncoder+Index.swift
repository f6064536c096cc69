import StoreModel
import StorePredicate

extension ModelEncoder {
  /// Returns the lists of an entity's fetch indexes and compound indexes. In a file, only entities with indexes have
  /// the lists. In a store, all entities have them if at least one entity has an index.
  mutating func indexValues(of entity: EntityDescription) -> Values {
    let isWritten =
      switch form {
      case .file: !entity.indexes.isEmpty
      case .store: hasIndexes
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

  /// Returns whether a property has the flag `isIndexed` in the archive, because the model sets it or because a fetch
  /// index implies it (see `FetchIndex.singleProperty`).
  func isIndexed(_ property: PropertyDescription, in entity: EntityDescription) -> Bool {
    let isFlagged =
      switch property {
      case .attribute(let attribute): attribute.isIndexed
      case .relationship(let relationship): relationship.isIndexed
      case .fetched: false
      }
    let owners = [entity] + model.ancestors(of: entity)
    return isFlagged
      || owners.flatMap(\.indexes).contains {
        $0.singleProperty == property.name && $0.name != property.name
      }
  }

  /// Returns the fetch indexes of an entity with their archived names. For a store, they begin with an index for each
  /// property with the flag `isIndexed`, unless there is already an index with the property's name.
  func indexes(of entity: EntityDescription) -> [(name: String, index: FetchIndex)] {
    let written = entity.indexes.map { (name: $0.archivedName, index: $0) }
    guard form == .store else { return written }
    let own =
      entity.attributes.map { PropertyDescription.attribute($0) }
      + entity.relationships.map { PropertyDescription.relationship($0) }
    let flagged = own.filter { isIndexed($0, in: entity) }.map(\.name)
      .filter { name in !written.contains { $0.name == name } }.sorted()
    return flagged.map { name in
      (name: name, index: FetchIndex(name: name, elements: [.init(.property(name))]))
    } + written
  }

  /// Returns the names that represent the index in the list of compound indexes, or nil if the index contains a
  /// relationship, which this list doesn't support.
  private func listedNames(of index: FetchIndex, in entity: EntityDescription) -> [String]? {
    let attributes = Set(model.attributes(of: entity).map(\.name))
    let isListed = index.elements.allSatisfy { element in
      if case .property(let name) = element.target { attributes.contains(name) } else { true }
    }
    return isListed ? index.elements.map(\.target.listedName) : nil
  }

  /// Writes an index. If its predicate or an expression has a syntax error, adds the index to `omissions` and returns
  /// nil.
  private mutating func index(
    named name: String, _ index: FetchIndex, of entity: EntityDescription
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

  /// Writes an index expression as a property that doesn't belong to an entity.
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
  /// The name in the archive. For a compound index, which has no name, it consists of the names of its elements.
  fileprivate var archivedName: String {
    guard origin == .compoundIndex else { return name }
    return elements.map(\.target.text).joined(separator: "_")
  }
}
