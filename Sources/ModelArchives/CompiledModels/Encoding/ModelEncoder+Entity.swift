import StoreModel

extension ModelEncoder {
  mutating func values(of entity: Entity) -> Values {
    var values: Values = [
      (ArchivedKey.entityName, text(entity.name)),
      (ArchivedKey.className, text(entity.className ?? "NSManagedObject")),
      (ArchivedKey.model, .object(modelReference)),
      (ArchivedKey.superentity, .object(entity.parent.map { reference(to: $0) } ?? .null)),
      (ArchivedKey.subentities, .object(subentities(of: entity))),
      (ArchivedKey.properties, .object(properties(of: entity))),
      (ArchivedKey.userInfo, .object(dictionary(of: entity.userInfo))),
      (ArchivedKey.renamingIdentifier, text(entity.renamingIdentifier ?? entity.name)),
      (ArchivedKey.versionHashModifier, text(entity.versionHashModifier)),
    ]
    if entity.isAbstract { values.append((ArchivedKey.isAbstract, .boolean(true))) }
    if !entity.uniquenessConstraints.isEmpty {
      values.append((ArchivedKey.uniqueTuples, .object(names(entity.uniquenessConstraints))))
    }
    return values + indexValues(of: entity)
  }

  /// Lists of property names.
  mutating func names(_ lists: [[String]]) -> Reference {
    let members = lists.map { list in
      archive.collection(list.map { archive.string($0) }, as: .mutableArray)
    }
    return archive.collection(members, as: .mutableArray)
  }

  private mutating func subentities(of entity: Entity) -> Reference {
    archive.dictionary(model.children(of: entity).map { ($0.name, reference(to: $0.name)) })
  }

  private mutating func properties(of entity: Entity) -> Reference {
    let properties = listedProperties(of: entity)
    for property in properties { fill(property, of: entity) }
    return archive.dictionary(
      properties.map { ($0.name, reference(to: $0.name, of: entity.name)) })
  }

  private mutating func fill(_ property: Property, of entity: Entity) {
    let target = reference(to: property.name, of: entity.name)
    switch property {
    case .attribute(let attribute):
      archive.fill(target, archivedClass(of: attribute), values(of: attribute, in: entity))
    case .relationship(let relationship):
      archive.fill(target, .relationship, values(of: relationship, in: entity))
    case .fetched(let fetched):
      archive.fill(target, .fetchedProperty, values(of: fetched, in: entity))
    }
  }
}

/// What attributes, relationships and fetched properties have in common.
struct PropertyFacts {
  var name: String
  var isOptional: Bool
  var isReadOnly = false
  var isTransient: Bool
  var isIndexed = false
  var isIndexedBySpotlight = false
  var allowsCloudEncryption = false
  var isOrdered = false
  var hasValidation = false
  var renamingIdentifier: String?
  var versionHashModifier: String?
  var userInfo: [String: String]

  /// The flags once more (docs/formats/compiled-models.md). Four say what a property does *not* have.
  var bits: Int64 {
    let flags: [(bit: Int64, isSet: Bool)] = [
      (1, true), (2, isOptional), (4, isReadOnly), (8, isTransient), (16, !hasValidation),
      (32, !hasValidation), (64, userInfo.isEmpty), (128, versionHashModifier == nil),
      (256, isIndexedBySpotlight), (1024, isOrdered), (2048, allowsCloudEncryption),
    ]
    return flags.reduce(0) { $1.isSet ? $0 | $1.bit : $0 }
  }
}

extension ModelEncoder {
  /// A flag is only written where it is set.
  mutating func values(of facts: PropertyFacts, in entity: Entity?) -> Values {
    var values: Values = [
      (ArchivedKey.propertyName, text(facts.name)),
      (ArchivedKey.entity, .object(entity.map { reference(to: $0.name) } ?? .null)),
      (ArchivedKey.renamingIdentifier, text(facts.renamingIdentifier ?? facts.name)),
      (ArchivedKey.propertyBits, .integer(facts.bits)),
    ]
    let flags = [
      (ArchivedKey.isOptional, facts.isOptional), (ArchivedKey.isReadOnly, facts.isReadOnly),
      (ArchivedKey.isTransient, facts.isTransient), (ArchivedKey.isIndexed, facts.isIndexed),
      (ArchivedKey.isIndexedBySpotlight, facts.isIndexedBySpotlight),
      (ArchivedKey.isOrdered, facts.isOrdered),
      (ArchivedKey.allowsCloudEncryption, facts.allowsCloudEncryption),
    ]
    for (key, isSet) in flags where isSet { values.append((key, .boolean(true))) }
    if let modifier = facts.versionHashModifier {
      values.append((ArchivedKey.versionHashModifier, text(modifier)))
    }
    if !facts.userInfo.isEmpty {
      values.append((ArchivedKey.userInfo, .object(dictionary(of: facts.userInfo))))
    }
    return values
  }
}
