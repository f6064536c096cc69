import KeyedArchives
import StoreModel
import StorePredicate

extension ModelEncoder {
  mutating func values(of relationship: Relationship, in entity: Entity) -> Values {
    let facts = PropertyFacts(
      name: relationship.name, isOptional: relationship.isOptional,
      isTransient: relationship.isTransient,
      isIndexed: isIndexed(.relationship(relationship), in: entity),
      isOrdered: relationship.isOrdered, renamingIdentifier: relationship.renamingIdentifier,
      versionHashModifier: relationship.versionHashModifier, userInfo: relationship.userInfo)
    let inverse = relationship.inverse.map { reference(to: $0, of: relationship.destination) }
    let unwrittenMaximum = relationship.isToMany ? 0 : 1
    return values(of: facts, in: entity) + [
      ("NSDestinationEntity", .object(reference(to: relationship.destination))),
      ("_NSDestinationEntityName", text(relationship.destination)),
      ("NSInverseRelationship", .object(inverse ?? .null)),
      ("_NSInverseRelationshipName", text(relationship.inverse)),
      ("NSDeleteRule", .integer(Self.code(of: relationship.deleteRule))),
      ("NSMinCount", .integer(Int64(relationship.minimumCount ?? 0))),
      ("NSMaxCount", .integer(Int64(relationship.maximumCount ?? unwrittenMaximum))),
    ]
  }

  private static func code(of rule: Relationship.DeleteRule) -> Int64 {
    ArchivedCode.deleteRules.first { $0.rule == rule }?.code ?? 0
  }

  mutating func values(of fetched: FetchedProperty, in entity: Entity) -> Values {
    let facts = PropertyFacts(
      name: fetched.name, isOptional: true, isReadOnly: true, isTransient: true,
      userInfo: fetched.userInfo)
    let request = request(of: fetched.request, part: .property(fetched.name, of: entity.name))
    return values(of: facts, in: entity) + [
      ("NSFetchRequest", .object(request ?? .null)),
      ("_NSFetchRequestEntityName", text(fetched.request.entity)),
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
        ("NSEntity", .object(reference(to: template.entity))),
        ("NSPredicate", .object(predicate)), ("NSSortDescriptors", .object(.null)),
        ("NSFetchLimit", .integer(Int64(template.limit))), ("NSFetchOffset", .integer(0)),
        ("NSBatchSize", .integer(Int64(template.batchSize))),
        ("NSResultType", .integer(Int64(template.resultType.rawValue))),
        ("NSHasFetchRequestFlags", .boolean(true)),
        ("NSFetchRequestFlags", .integer(flags(of: template))),
        ("NSAllocationType", .integer(0)), ("NSValuesToFetch", .object(.null)),
        ("NSValuesToGroupBy", .object(.null)), ("NSHavingPredicate", .object(.null)),
        ("NSRelationshipKeyPathsForPrefetching", .object(.null)),
      ])
  }

  private func flags(of template: FetchRequestTemplate) -> Int64 {
    ArchivedCode.requestFlags.reduce(0) { bits, flag in
      template[keyPath: flag.fact] ? bits | flag.bit : bits
    }
  }
}
