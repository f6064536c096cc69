import RecordFormats
import StoreModel

/// Turns JSON records into objects of the model.
///
/// Where a property's value stands: at the path that a rule gives, else at the path in the
/// property's `mappedKeyName`, else under the property's own name, which goes first in what `export`
/// wrote. A nested object under a to-one
/// becomes that object, an array under a to-many its members (docs/formats/import-export.md).
struct RecordMapper {
  private let keys: ImportKeys
  private var model: Model { keys.model }
  /// What records are without an `$entity` of their own.
  private let entity: Entity?
  private let rules: [ImportRule]
  private var mappings: [ObjectMapping.Key: ObjectMapping] = [:]
  /// JSON paths that no property took, with how often they came.
  private(set) var ignored: [String: Int] = [:]
  /// `null` in lists of members, by relationship.
  private(set) var nullMembers: [String: Int] = [:]

  /// - Throws: `ImportError.badRule` for a rule whose key path the entity does not have.
  init(keys: ImportKeys, entity: Entity?, rules: [ImportRule]) throws(ImportError) {
    let model = keys.model
    for rule in rules {
      guard let entity else { throw .rulesWithoutEntity }
      try rule.check(from: entity, in: model)
    }
    self.keys = keys
    self.entity = entity
    self.rules = rules
  }

  /// Maps one record.
  mutating func object(from record: JSONValue) throws(ImportError) -> ImportedObject {
    guard case .object = record.content else { throw .notAnObject(record.kindName) }
    guard let entity = try namedEntity(of: record) ?? entity else { throw .noEntity }
    return try object(mapping(of: entity, .init(of: record)), own: record, record: record)
  }

  private mutating func mapping(
    of entity: Entity, _ precedence: ObjectMapping.Precedence
  ) -> ObjectMapping {
    let key = ObjectMapping.Key(entity: entity.name, precedence: precedence)
    if let known = mappings[key] { return known }
    // The rules were written for the given entity, not for any other record of the document.
    let isMeant = self.entity.map { model.isKind(entity, of: $0) } ?? false
    let made = ObjectMapping(entity, by: keys, precedence, rules: isMeant ? rules : [])
    mappings[key] = made
    return made
  }

  private func namedEntity(of json: JSONValue) throws(ImportError) -> Entity? {
    guard let name = try Self.text("$entity", of: json) else { return nil }
    guard let found = model.entity(named: name) else {
      throw .unknownEntity(name, known: model.entities.map(\.name))
    }
    return found
  }

  private static func text(_ key: String, of json: JSONValue) throws(ImportError) -> String? {
    switch json[key]?.content {
    case nil: return nil
    case .string(let text)?: return text
    case .null?, .boolean?, .number?, .array?, .object?:
      throw .notAText(key, json[key]?.kindName ?? "nothing")
    }
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
        object.attributes.append(ImportedValue(attribute: name, value: value))
      }
    }
    for relationship in mapping.relationships {
      let value = relationship.source.value(own: own, record: record)
      let targets =
        relationship.relationship.isToMany
        ? try members(value, behind: relationship, of: mapping, record)
        : try target(value, behind: relationship, of: mapping, record).map { [$0] }
      // An explicit null is a link to nowhere.
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

  /// - Throws: `ImportError.noProperty` for an object whose keys are all unknown. It would be an empty row.
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

  /// What stands under a to-one relationship; nil for nothing.
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
      // Rules may fill an object that the JSON has no place of its own for.
      guard !relationship.rules.isEmpty else { return nil }
      let mapping = owner.nested(declared, .mappedKeys, behind: relationship, all: rules)
      let made = try object(mapping, own: nil, record: record)
      return made.isEmpty ? nil : .object(made)
    case .array?, .number?, .boolean?:
      throw .notATarget(value?.kindName ?? "nothing", path: relationship.path)
    }
  }

  private mutating func members(
    _ value: JSONValue?, behind relationship: ObjectMapping.RelationshipSource,
    of owner: ObjectMapping, _ record: JSONValue
  ) throws(ImportError) -> [ImportedTarget]? {
    switch value?.content {
    case nil, .null?: return nil
    case .array(let elements)?:
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
    case .object?, .string?, .number?, .boolean?:
      throw .notAnArray(value?.kindName ?? "nothing", path: relationship.path)
    }
  }

  /// Counts the keys of an object that no property took.
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
