import StoreModel
import StoreDiagnostics

extension CompiledModelDecoder {
  /// Reads the name, the parent and the objects of the properties of each entity into `entities`.
  mutating func readEntities(of root: KeyedArchive.Object) throws(KeyedArchiveError) {
    let dictionary = try root.requiredObject(ArchivedKey.entities)
    let entries = try root.entries(ArchivedKey.entities)
    if let twins = entries.map(\.0).firstTwin { throw twinFault(twins, at: dictionary.place) }
    for (key, value) in entries {
      guard case .object(let object) = value else {
        throw dictionary.fault(value, at: key, expected: "an entity")
      }
      try require(object, .entity)
      let name = try object.requiredText(ArchivedKey.entityName)
      guard name.isExactly(key), !name.isEmpty else {
        throw object.unexpected("'\(name)'", at: ArchivedKey.entityName, expected: "'\(key)'")
      }
      guard names.updateValue(name, forKey: object.index) == nil, entities[name] == nil else {
        throw dictionary.unexpected("a second '\(name)'", expected: "each entity once")
      }
      try count(1)
      entities[name] = EntityObject(object: object, name: name)
    }
    for name in entities.keys.sorted() { try readShape(of: name) }
    for name in entities.keys.sorted() { try checkAncestors(of: name) }
    try checkColumns()
  }

  /// Rejects property names that look alike but have different bytes, as they are or in upper case, if their entities
  /// share a table.
  private func checkColumns() throws(KeyedArchiveError) {
    var properties: [String: Set<ExactText>] = [:]
    for (name, entity) in entities {
      properties[ancestors(of: name).last?.name ?? name, default: []]
        .formUnion(entity.properties.keys.exact)
    }
    for (root, names) in properties.sorted(by: { $0.key < $1.key }) {
      let names = names.sorted().map(\.text)
      guard let twins = names.firstTwin ?? names.map({ $0.uppercased() }).firstTwin,
        let entity = entities[root]
      else { continue }
      throw twinFault(twins, at: entity.object.place(of: ArchivedKey.properties))
    }
  }

  private mutating func readShape(of name: String) throws(KeyedArchiveError) {
    guard var entity = entities[name] else { return }
    entity.parent = try entityName(ArchivedKey.superentity, of: entity.object)
    let entries = try entity.object.entries(ArchivedKey.properties)
    try count(entries.count)
    if let twins = entries.map(\.0).firstTwin {
      throw twinFault(twins, at: entity.object.place(of: ArchivedKey.properties))
    }
    for (key, value) in entries {
      guard case .object(let property) = value else {
        throw entity.object.fault(
          value, at: "\(ArchivedKey.properties).\(key)", expected: "a property")
      }
      guard entity.properties.updateValue(property, forKey: key) == nil else {
        throw entity.object.unexpected(
          "a second '\(key)'", at: ArchivedKey.properties, expected: "each property once")
      }
    }
    entities[name] = entity
  }

  private func checkAncestors(of name: String) throws(KeyedArchiveError) {
    guard let entity = entities[name], ancestors(of: name).count > Self.ancestorLimit else {
      return
    }
    throw KeyedArchiveError(
      .tooDeep(limit: Self.ancestorLimit), at: entity.object.place(of: ArchivedKey.superentity))
  }

  /// Returns the ancestors of an entity, beginning with the parent. If the entities form a cycle, returns
  /// `ancestorLimit` + 1 entities.
  func ancestors(of name: String) -> [EntityObject] {
    var found: [EntityObject] = []
    var next = entities[name]?.parent.flatMap { entities[$0] }
    while let parent = next, found.count <= Self.ancestorLimit {
      found.append(parent)
      next = parent.parent.flatMap { entities[$0] }
    }
    return found
  }

  mutating func decodeEntity(_ source: EntityObject) throws(KeyedArchiveError) -> EntityDescription
  {
    let (object, name) = (source.object, source.name)
    let ancestors = ancestors(of: name)
    var own = OwnProperties()
    for (key, property) in source.properties.sorted(by: { $0.key < $1.key }) {
      // Inherited properties are skipped. Older versions of Core Data archive a copy of an inherited property, newer
      // versions archive a proxy.
      if ancestors.contains(where: { $0.properties[key] != nil }) { continue }
      try decodeProperty(property, named: key, of: name, into: &own)
    }
    let context = "in entity '\(name)'"
    let indexes = try decodeIndexes(of: object, entity: name, own: &own)
    return EntityDescription(
      name: name, parent: source.parent, isAbstract: try object.flag(ArchivedKey.isAbstract),
      className: try className(of: object, context: context), attributes: own.attributes,
      relationships: own.relationships, fetchedProperties: own.fetchedProperties,
      indexes: indexes, uniquenessConstraints: try constraints(of: object, entity: name),
      renamingIdentifier: try renamingIdentifier(of: object, named: name),
      versionHashModifier: try object.text(ArchivedKey.versionHashModifier),
      userInfo: try userInfo(of: object, context: context))
  }

  /// The properties that an entity declares itself.
  struct OwnProperties {
    var attributes: [AttributeDescription] = []
    var relationships: [RelationshipDescription] = []
    var fetchedProperties: [FetchedProperty] = []
  }

  private mutating func className(
    of object: KeyedArchive.Object, context: String
  ) throws(KeyedArchiveError) -> String? {
    let name = try optionalText(ArchivedKey.className, of: object, context: context)
    return name == "NSManagedObject" || name == "" ? nil : name
  }

  private mutating func decodeProperty(
    _ object: KeyedArchive.Object, named name: String, of entity: String,
    into own: inout OwnProperties
  ) throws(KeyedArchiveError) {
    let type = try object.className
    // Inherited properties were already skipped, so this is a proxy for a property that no ancestor has.
    // A proxy is the placeholder for an inherited property.
    guard type != "_NSPropertyDescriptionProxy" else {
      throw object.unexpected(
        "a proxy of '\(name)'", expected: "the property, which no ancestor of '\(entity)' has")
    }
    switch type {
    case ClassChain.attribute.name, ClassChain.derivedAttribute.name,
      ClassChain.compositeAttribute.name:
      try requireName(name, of: object)
      own.attributes.append(try decodeAttribute(object, named: name, of: entity))
    case ClassChain.relationship.name:
      try requireName(name, of: object)
      own.relationships.append(try decodeRelationship(object, named: name, of: entity))
    case ClassChain.fetchedProperty.name:
      let fetched = try optionalPart("the fetched property '\(entity).\(name)'") {
        decoder throws(KeyedArchiveError) in
        try decoder.requireName(name, of: object)
        return try decoder.decodeFetchedProperty(object, named: name, of: entity)
      }
      if let fetched { own.fetchedProperties.append(fetched) }
    default: throw object.fault(expected: "a property")
    }
  }

  private func requireName(
    _ name: String, of object: KeyedArchive.Object
  ) throws(KeyedArchiveError) {
    let archived = try object.requiredText(ArchivedKey.propertyName)
    guard archived.isExactly(name), !name.isEmpty else {
      throw object.unexpected("'\(archived)'", at: ArchivedKey.propertyName, expected: "'\(name)'")
    }
  }

  private mutating func constraints(
    of object: KeyedArchive.Object, entity: String
  ) throws(KeyedArchiveError) -> [[String]] {
    let key = ArchivedKey.uniqueTuples
    var constraints: [[String]] = []
    for tuple in try object.objects(key, expected: "a list of properties") {
      let names = try names(in: tuple)
      for name in names { try requireProperty(name, of: entity, at: tuple.place) }
      if !names.isEmpty { constraints.append(names) }
    }
    return constraints
  }

  /// Returns the names of the properties in a list. The list contains names or, possibly in newer archives, property
  /// objects.
  mutating func names(
    in list: KeyedArchive.Object
  ) throws(KeyedArchiveError) -> [String] {
    let members = try list.members
    try count(members.count)
    return try members.map { member throws(KeyedArchiveError) -> String in
      switch member {
      case .text(let text): return text
      case .object(let property): return try property.requiredText(ArchivedKey.propertyName)
      default: throw list.fault(member, at: "NS.objects", expected: "the name of a property")
      }
    }
  }

  /// Throws an error unless an entity declares or inherits a property.
  func requireProperty(
    _ name: String, of entity: String, at place: String
  ) throws(KeyedArchiveError) {
    let owners = [entities[entity]].compactMap { $0 } + ancestors(of: entity)
    guard owners.contains(where: { $0.properties[name] != nil }) else {
      throw KeyedArchiveError(
        .unexpected("'\(name)'"), at: place, expected: "a property of '\(entity)'")
    }
  }
}
