import StoreModel

/// Turns JSON records into objects of the model.
///
/// Where a property's value stands: at the path that a rule gives, else at the path in the
/// property's `mappedKeyName`, else under the property's own name. A nested object under a to-one
/// becomes that object, an array under a to-many its members.
struct RecordMapper {
  let model: Model
  /// What records are without an `$entity` of their own.
  let entity: Entity?
  let rules: [ImportRule]
  /// JSON paths that no property took, with how often they came.
  private(set) var ignored: [String: Int] = [:]

  /// By entity: the same few entities come with every record.
  private var storedProperties: [String: StoredProperties] = [:]

  /// The model's own name for a key path in JSON.
  static let userInfoKey = "mappedKeyName"

  /// - Throws: `ImportError.badRule` for a rule whose key path the entity does not have.
  init(model: Model, entity: Entity?, rules: [ImportRule]) throws(ImportError) {
    for rule in rules {
      guard let entity else { throw .rulesWithoutEntity }
      try rule.check(from: entity, in: model)
    }
    self.model = model
    self.entity = entity
    self.rules = rules
  }

  /// Maps one record.
  mutating func object(from record: JSONValue) throws(ImportError) -> ImportedObject {
    guard case .object = record.content else { throw .notAnObject(record.kindName) }
    let entity = try namedEntity(of: record) ?? self.entity
    guard let entity else { throw .noEntity }
    let scope = Scope(record: record, rules: rules)
    return try object(of: entity, from: record, in: scope)
  }

  /// What nested objects share: the rules that still apply, and the record that they point into.
  private struct Scope {
    var record: JSONValue
    var rules: [ImportRule]
    /// Where the current object stands in the record.
    var path: [String] = []
    /// In an array an object has no path of its own, so that no rule can point into it.
    var isInArray = false
  }

  private func namedEntity(of json: JSONValue) throws(ImportError) -> Entity? {
    guard case .string(let name)? = json["$entity"]?.content else { return nil }
    guard let found = model.entity(named: name) else {
      throw .unknownEntity(name, known: model.entities.map(\.name))
    }
    return found
  }

  private mutating func object(
    of declared: Entity, from own: JSONValue?, in scope: Scope
  ) throws(ImportError) -> ImportedObject {
    let entity =
      try own.flatMap { json throws(ImportError) in try namedEntity(of: json) } ?? declared
    guard model.isKind(entity, of: declared) else {
      throw .wrongEntity(entity.name, expected: declared.name, path: scope.path)
    }
    guard !entity.isAbstract else { throw .abstractEntity(entity.name, path: scope.path) }
    var object = ImportedObject(entity: entity)
    if case .string(let identity)? = own?["$id"]?.content { object.identity = identity }
    var used = scope.isInArray ? [] : jsonPaths(below: scope.path)
    let properties = properties(of: entity)
    for attribute in properties.attributes {
      let source = source(of: attribute.name, attribute.userInfo, in: scope)
      used.append(source.path)
      if let value = source.value(own: own, record: scope.record) {
        object.attributes.append(ImportedValue(attribute: attribute.name, value: value))
      }
    }
    for relationship in properties.relationships {
      used.append(try follow(relationship, from: own, into: &object, in: scope))
    }
    if let own { count(keysOf: own, except: used, below: scope) }
    return object
  }

  /// The properties that have a place in the store.
  private struct StoredProperties {
    var attributes: [Attribute]
    var relationships: [Relationship]
  }

  private mutating func properties(of entity: Entity) -> StoredProperties {
    if let known = storedProperties[entity.name] { return known }
    let found = StoredProperties(
      attributes: model.attributes(of: entity).filter { !$0.isTransient },
      relationships: model.relationships(of: entity).filter { !$0.isTransient })
    storedProperties[entity.name] = found
    return found
  }

  /// Where the value of a property stands.
  private struct Source {
    var path: [String]
    /// Rules count from the record, names from the object itself.
    var isFromRecord: Bool

    func value(own: JSONValue?, record: JSONValue) -> JSONValue? {
      isFromRecord ? record.value(at: path) : own?.value(at: path)
    }
  }

  private func source(
    of name: String, _ userInfo: [String: String], in scope: Scope
  ) -> Source {
    if let rule = scope.rules.first(where: { $0.property == [name] }) {
      return Source(path: rule.json, isFromRecord: true)
    }
    let mapped = userInfo[Self.userInfoKey].map { $0.split(separator: ".").map(String.init) }
    return Source(path: mapped ?? [name], isFromRecord: false)
  }

  /// Maps what stands under a relationship; returns the path that it took.
  private mutating func follow(
    _ relationship: Relationship, from own: JSONValue?, into object: inout ImportedObject,
    in scope: Scope
  ) throws(ImportError) -> [String] {
    let source = source(of: relationship.name, relationship.userInfo, in: scope)
    let value = source.value(own: own, record: scope.record)
    var nested = scope
    nested.path = source.isFromRecord ? source.path : scope.path + source.path
    nested.rules = scope.rules.filter {
      $0.property.count > 1 && $0.property[0] == relationship.name
    }
    .map { ImportRule(property: Array($0.property.dropFirst()), json: $0.json) }
    if relationship.isToMany {
      if let members = try members(value, of: relationship, in: nested) {
        object.links.append(ImportedLink(relationship: relationship, targets: members))
      }
    } else if let target = try target(value, of: relationship, in: nested) {
      object.links.append(ImportedLink(relationship: relationship, targets: [target]))
    }
    return source.path
  }

  private mutating func target(
    _ value: JSONValue?, of relationship: Relationship, in scope: Scope
  ) throws(ImportError) -> ImportedTarget? {
    guard let destination = model.entity(named: relationship.destination) else { return nil }
    switch value?.content {
    case .string(let reference)?: return .reference(reference)
    case .object?:
      return .object(try object(of: destination, from: value, in: scope))
    case nil, .null?:
      // Rules may fill an object that the JSON has no place of its own for.
      guard !scope.rules.isEmpty else { return nil }
      let made = try object(of: destination, from: nil, in: scope)
      return made.isEmpty ? nil : .object(made)
    case .array?, .number?, .boolean?:
      throw .notATarget(value?.kindName ?? "nothing", path: scope.path)
    }
  }

  private mutating func members(
    _ value: JSONValue?, of relationship: Relationship, in scope: Scope
  ) throws(ImportError) -> [ImportedTarget]? {
    switch value?.content {
    case nil, .null?: return nil
    case .array(let elements)?:
      var found: [ImportedTarget] = []
      for element in elements {
        var inner = scope
        inner.rules = []
        inner.isInArray = true
        guard let member = try target(element, of: relationship, in: inner) else {
          throw .notATarget("null", path: scope.path)
        }
        found.append(member)
      }
      return found
    case .object?, .string?, .number?, .boolean?:
      throw .notAnArray(value?.kindName ?? "nothing", path: scope.path)
    }
  }

  /// What the rules take out of the object at a path of the record, counted from that object.
  private func jsonPaths(below path: [String]) -> [[String]] {
    rules.map(\.json).filter { $0.starts(with: path) }.map { Array($0.dropFirst(path.count)) }
  }

  /// Counts the keys of an object that no property took.
  private mutating func count(keysOf json: JSONValue, except used: [[String]], below scope: Scope) {
    guard case .object(let members) = json.content else { return }
    for member in members where member.key != "$id" && member.key != "$entity" {
      let key = member.key
      let inside = used.filter { $0.first == key }.map { Array($0.dropFirst()) }
      if inside.isEmpty {
        ignored[(scope.path + [key]).joined(separator: "."), default: 0] += 1
      } else if !inside.contains([]) {
        var deeper = scope
        deeper.path.append(key)
        count(keysOf: member.value, except: inside, below: deeper)
      }
    }
  }
}
