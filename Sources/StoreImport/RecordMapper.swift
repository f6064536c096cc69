import RecordFormats
import StoreModel

/// Converts JSON records to objects of the model.
///
/// If a property has a rule, its value is read from the path of the rule; otherwise, if it has a `mappedKeyName`, from
/// that path; otherwise from the property's own name. In the output of `export`, the own name is tried before
/// `mappedKeyName`. A nested object becomes the destination of a to-one relationship, and the elements of an array
/// become the members of a to-many relationship (docs/formats/import-export.md).
struct RecordMapper {
  private let keys: ImportKeys
  private var model: DataModel { keys.model }
  /// The entity of records without `$entity`.
  private let entity: EntityDescription?
  private let rules: [ImportRule]
  private var mappings: [ObjectMapping.Key: ObjectMapping] = [:]
  /// The numbers of occurrences of JSON keys without a property, by path.
  private(set) var ignored: [String: Int] = [:]
  /// The numbers of `null` elements in the arrays of to-many relationships, by `Entity.relationship`.
  private(set) var nullMembers: [String: Int] = [:]

  /// - Throws: `ImportError.badRule` for a rule with an invalid key path, `ImportError.rulesWithoutEntity`.
  init(keys: ImportKeys, entity: EntityDescription?, rules: [ImportRule]) throws(ImportError) {
    let model = keys.model
    for rule in rules {
      guard let entity else { throw .rulesWithoutEntity }
      try rule.check(from: entity, in: model)
    }
    self.keys = keys
    self.entity = entity
    self.rules = rules
  }

  /// Returns the object of a record, including its nested objects.
  mutating func object(from record: JSONValue) throws(ImportError) -> ImportedObject {
    guard case .object = record.content else { throw .notAnObject(record.kindName) }
    guard let entity = try namedEntity(of: record) ?? entity else { throw .noEntity }
    return try object(mapping(of: entity, .init(of: record)), own: record, record: record)
  }

  private mutating func mapping(
    of entity: EntityDescription, _ precedence: ObjectMapping.Precedence
  ) -> ObjectMapping {
    let key = ObjectMapping.Key(entity: entity.name, precedence: precedence)
    if let known = mappings[key] { return known }
    // Rules only apply to records of the specified entity and its subentities.
    let isMeant = self.entity.map { model.isKind(entity, of: $0) } ?? false
    let made = ObjectMapping(entity, by: keys, precedence, rules: isMeant ? rules : [])
    mappings[key] = made
    return made
  }

  private func namedEntity(of json: JSONValue) throws(ImportError) -> EntityDescription? {
    guard let name = try Self.text("$entity", of: json) else { return nil }
    guard let found = model.entity(named: name) else {
      throw .unknownEntity(name, known: model.entities.map(\.name))
    }
    return found
  }

  private static func text(_ key: String, of json: JSONValue) throws(ImportError) -> String? {
    guard let value = json[key] else { return nil }
    guard case .string(let text) = value.content else { throw .notAText(key, value.kindName) }
    return text
  }

  private mutating func object(
    _ mapping: ObjectMapping, own: JSONValue?, record: JSONValue
  ) throws(ImportError) -> ImportedObject {
    guard !mapping.entity.isAbstract else {
      throw .abstractEntity(mapping.entity.name, path: mapping.path)
    }
    var object = ImportedObject(entity: mapping.entity)
    if let own { object.identity = try Self.text("$id", of: own) }
    for (name, source) in mapping.attributes {
      if let value = source.value(own: own, record: record) {
        object.attributes.append((name, value))
      }
    }
    for relationship in mapping.relationships {
      let value = relationship.source.value(own: own, record: record)
      let targets =
        relationship.relationship.isToMany
        ? try members(value, behind: relationship, of: mapping, record)
        : try target(value, behind: relationship, of: mapping, record).map { [$0] }
      // An explicit null is an empty relationship.
      if let targets = targets ?? (value?.isNull == true ? [] : nil) {
        object.links.append(
          ImportedLink(relationship: relationship.relationship, targets: targets))
      }
    }
    if let own {
      if object.attributes.isEmpty, object.links.isEmpty { try refuseUnknown(own, mapping) }
      countIgnored(own, mapping.taken, at: mapping.path)
    }
    return object
  }

  /// - Throws: `ImportError.noProperty` for an object with only unknown keys, which would be an empty row.
  private func refuseUnknown(
    _ json: JSONValue, _ mapping: ObjectMapping
  ) throws(ImportError) {
    guard case .object(let members) = json.content else { return }
    let keys = members.map(\.key).filter { $0 != "$id" && $0 != "$entity" }
    guard !keys.isEmpty else { return }
    throw .noProperty(
      keys, entity: mapping.entity.name,
      known: mapping.attributes.map(\.name) + mapping.relationships.map(\.relationship.name),
      path: mapping.path)
  }

  /// Returns the target for the value of a to-one relationship or for one member of a to-many relationship, or nil if
  /// the value is missing or `null` and rules don't set properties of the target.
  private mutating func target(
    _ value: JSONValue?, behind relationship: ObjectMapping.RelationshipSource,
    of owner: ObjectMapping, _ record: JSONValue
  ) throws(ImportError) -> ImportedTarget? {
    let destination = relationship.relationship.destination
    guard let declared = model.entity(named: destination) else { return nil }
    switch value?.content {
    case .string(let reference)?: return .reference(reference)
    case .number(let value)? where relationship.isKeyed: return .reference(value)
    case .object?:
      var entity = declared
      if let value, let named = try namedEntity(of: value) { entity = named }
      guard model.isKind(entity, of: declared) else {
        throw .wrongEntity(entity.name, expected: destination, path: relationship.path)
      }
      let mapping = owner.nested(
        entity, .init(of: value), behind: relationship, all: rules)
      return .object(try object(mapping, own: value, record: record))
    case nil, .null?:
      // Rules can set properties of a nested object that the JSON doesn't contain.
      guard !relationship.rules.isEmpty else { return nil }
      let mapping = owner.nested(declared, .mappedKeys, behind: relationship, all: rules)
      let made = try object(mapping, own: nil, record: record)
      return made.isEmpty ? nil : .object(made)
    case .array?, .number?, .boolean?:
      throw .notATarget(
        value?.kindName ?? "nothing", path: relationship.path,
        isMember: relationship.relationship.isToMany)
    }
  }

  private mutating func members(
    _ value: JSONValue?, behind relationship: ObjectMapping.RelationshipSource,
    of owner: ObjectMapping, _ record: JSONValue
  ) throws(ImportError) -> [ImportedTarget]? {
    guard let value, !value.isNull else { return nil }
    guard case .array(let elements) = value.content else {
      throw .notAnArray(value.kindName, path: relationship.path)
    }
    var members: [ImportedTarget] = []
    members.reserveCapacity(elements.count)
    for element in elements {
      guard let member = try target(element, behind: relationship, of: owner, record) else {
        let name = relationship.relationship.name
        nullMembers["\(owner.entity.name).\(name)", default: 0] += 1
        continue
      }
      members.append(member)
    }
    return members
  }

  /// Counts the keys in an object that aren't read.
  private mutating func countIgnored(_ json: JSONValue, _ taken: KeyTree, at path: [String]) {
    guard case .object(let members) = json.content else { return }
    for member in members where member.key != "$id" && member.key != "$entity" {
      guard let inside = taken[member.key] else {
        ignored[(path + [member.key]).joined(separator: "."), default: 0] += 1
        continue
      }
      if !inside.isWhole { countIgnored(member.value, inside, at: path + [member.key]) }
    }
  }
}
