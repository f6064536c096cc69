import StoreModel

extension CompiledModelDecoder {
  mutating func decodeRelationship(
    _ object: KeyedArchive.Object, named name: String, of entity: String
  ) throws(KeyedArchiveError) -> Relationship {
    let maximum = try object.integer(ArchivedKey.maximumCount) ?? 0
    let minimum = try object.integer(ArchivedKey.minimumCount) ?? 0
    let isOrdered = try object.flag(ArchivedKey.isOrdered)
    let isToOne = maximum == 1
    let context = "in '\(entity).\(name)'"
    return Relationship(
      name: name, destination: try destination(of: object), inverse: try inverseName(of: object),
      cardinality: isToOne ? .toOne : .toMany(ordered: isOrdered),
      isOptional: try object.flag(ArchivedKey.isOptional),
      isTransient: try object.flag(ArchivedKey.isTransient),
      minimumCount: minimum == 0 ? nil : Int(minimum),
      // As Xcode writes them: none for a to-many relationship without a limit.
      maximumCount: maximum == 0 ? nil : Int(maximum), isOrderedToOne: isToOne && isOrdered,
      deleteRule: try deleteRule(of: object),
      isIndexed: try optionalFlag(ArchivedKey.isIndexed, of: object, context: context),
      renamingIdentifier: try renamingIdentifier(of: object, named: name),
      versionHashModifier: try object.text(ArchivedKey.versionHashModifier),
      userInfo: try userInfo(of: object, context: context))
  }

  private func destination(of object: KeyedArchive.Object) throws(KeyedArchiveError) -> String {
    if let name = try entityName(ArchivedKey.destination, of: object) { return name }
    let key = ArchivedKey.destinationName
    let name = try object.requiredText(key)
    guard entities[name] != nil else {
      throw KeyedArchiveError(
        .unexpected("'\(name)'"), at: object.place(of: key), expected: "an entity of the model")
    }
    return name
  }

  private func inverseName(of object: KeyedArchive.Object) throws(KeyedArchiveError) -> String? {
    if let inverse = try object.object(ArchivedKey.inverse) {
      return try inverse.requiredText(ArchivedKey.propertyName)
    }
    return try object.text(ArchivedKey.inverseName)
  }

  private func deleteRule(
    of object: KeyedArchive.Object
  ) throws(KeyedArchiveError) -> Relationship.DeleteRule {
    let key = ArchivedKey.deleteRule
    let code = try object.integer(key) ?? 0
    guard let rule = ArchivedCode.deleteRules.first(where: { $0.code == code })?.rule else {
      throw KeyedArchiveError(
        .unexpected("\(code)"), at: object.place(of: key), expected: "the number of a delete rule")
    }
    return rule
  }

  /// An inverse is a relationship of the destination, or of one of its ancestors.
  func checkInverses(of decoded: [Entity]) throws(KeyedArchiveError) {
    let relationships = Dictionary(
      decoded.map { ($0.name, Set($0.relationships.map(\.name))) },
      uniquingKeysWith: { $0.union($1) })
    for entity in decoded {
      for relationship in entity.relationships {
        guard let inverse = relationship.inverse else { continue }
        let owners =
          [relationship.destination] + ancestors(of: relationship.destination).map(\.name)
        guard owners.contains(where: { relationships[$0]?.contains(inverse) == true }) else {
          let object = entities[entity.name]?.properties[relationship.name]
          throw KeyedArchiveError(
            .unexpected("'\(inverse)'"),
            at: object?.place(of: ArchivedKey.inverse) ?? "",
            expected: "a relationship of '\(relationship.destination)'")
        }
      }
    }
  }

  mutating func decodeFetchedProperty(
    _ object: KeyedArchive.Object, named name: String, of entity: String
  ) throws(KeyedArchiveError) -> FetchedProperty {
    let context = "in fetched property '\(name)'"
    let request = try decodeRequest(
      try object.requiredObject(ArchivedKey.fetchRequest), name: "fetchedPropertyFetchRequest",
      entityName: try object.text(ArchivedKey.fetchRequestEntityName), context: context)
    return FetchedProperty(
      name: name, request: request, userInfo: try userInfo(of: object, context: context))
  }
}
