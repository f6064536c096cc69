import StoreModel
import StorePredicate

extension ModelEncoder {
  mutating func values(of relationship: Relationship, in entity: Entity) -> Values {
    let facts = PropertyFacts(
      name: relationship.name, isOptional: relationship.isOptional,
      isTransient: relationship.isTransient,
      isIndexed: isIndexed(.relationship(relationship), in: entity),
      isOrdered: relationship.isOrdered || relationship.isOrderedToOne,
      renamingIdentifier: relationship.renamingIdentifier,
      versionHashModifier: relationship.versionHashModifier, userInfo: relationship.userInfo)
    let inverse = relationship.inverse.map { reference(to: $0, of: relationship.destination) }
    let unwrittenMaximum = relationship.isToMany ? 0 : 1
    return values(of: facts, in: entity) + [
      (ArchivedKey.destination, .object(reference(to: relationship.destination))),
      (ArchivedKey.destinationName, text(relationship.destination)),
      (ArchivedKey.inverse, .object(inverse ?? .null)),
      (ArchivedKey.inverseName, text(relationship.inverse)),
      (ArchivedKey.deleteRule, .integer(ArchivedCode.code(of: relationship.deleteRule))),
      (ArchivedKey.minimumCount, .integer(Int64(relationship.minimumCount ?? 0))),
      (ArchivedKey.maximumCount, .integer(Int64(relationship.maximumCount ?? unwrittenMaximum))),
    ]
  }

  mutating func values(of fetched: FetchedProperty, in entity: Entity) -> Values {
    let facts = PropertyFacts(
      name: fetched.name, isOptional: true, isReadOnly: true, isTransient: true,
      userInfo: fetched.userInfo)
    let request = request(of: fetched.request, part: .property(fetched.name, of: entity.name))
    return values(of: facts, in: entity) + [
      (ArchivedKey.fetchRequest, .object(request ?? .null)),
      (ArchivedKey.fetchRequestEntityName, text(fetched.request.entity)),
    ]
  }

  /// Nil for a request whose predicate can't be read: without it, it would fetch everything.
  mutating func request(of template: FetchRequestTemplate, part: ModelPart) -> Reference? {
    if template.predicate == nil, let text = template.predicateText {
      omit(part, because: "its predicate can't be read: \(text.text)")
      return nil
    }
    let predicate = template.predicate.map { archive.predicate($0) } ?? .null
    return archive.object(
      .fetchRequest,
      [
        (ArchivedKey.entity, .object(reference(to: template.entity))),
        (ArchivedKey.predicate, .object(predicate)), (ArchivedKey.sortDescriptors, .object(.null)),
        (ArchivedKey.fetchLimit, .integer(Int64(template.limit))),
        (ArchivedKey.fetchOffset, .integer(0)),
        (ArchivedKey.batchSize, .integer(Int64(template.batchSize))),
        (ArchivedKey.resultType, .integer(Int64(template.resultType.rawValue))),
        (ArchivedKey.hasRequestFlags, .boolean(true)),
        (ArchivedKey.fetchRequestFlags, .integer(flags(of: template))),
        (ArchivedKey.allocationType, .integer(0)), (ArchivedKey.valuesToFetch, .object(.null)),
        (ArchivedKey.valuesToGroupBy, .object(.null)),
        (ArchivedKey.havingPredicate, .object(.null)),
        (ArchivedKey.prefetching, .object(.null)),
      ])
  }

  private func flags(of template: FetchRequestTemplate) -> Int64 {
    let flags: [(bit: Int64, isSet: Bool)] = [
      (RequestFlags.returnsDistinctResults, template.returnsDistinctResults),
      (RequestFlags.includesSubentities, template.includesSubentities),
      (RequestFlags.includesPropertyValues, template.includesPropertyValues),
      (RequestFlags.returnsObjectsAsFaults, template.returnsObjectsAsFaults),
      (RequestFlags.includesPendingChanges, template.includesPendingChanges),
    ]
    return flags.reduce(0) { $1.isSet ? $0 | $1.bit : $0 }
  }
}
