import RecordFormats
import StoreLayout
import StoreModel

/// Where the properties of one entity stand in JSON, seen from one place of a record.
///
/// The same few entities come at the same places with every record, so each mapping is worked out
/// once and remembers those of the objects nested in it.
final class ObjectMapping {
  /// Where a value stands.
  struct Source {
    var path: [String]
    /// Rules count from the record, names from the object itself.
    var isFromRecord = false
    /// Where it stands else. A composite's element has two forms: `"address.street": …` and
    /// `"address": {"street": …}`.
    var others: [[String]] = []

    func value(own: JSONValue?, record: JSONValue) -> JSONValue? {
      let start = isFromRecord ? record : own
      if let value = start?.value(at: path) { return value }
      return others.lazy.compactMap { start?.value(at: $0) }.first
    }
  }

  /// Which of the places that the model gives to a value comes first.
  enum Precedence: Hashable {
    /// `mappedKeyName` says what somebody else calls it.
    case mappedKeys
    /// `export` writes properties under their own names, with `$entity` and `$id`.
    case ownNames

    init(of object: JSONValue?) {
      let isExported = object?["$entity"] != nil && object?["$id"] != nil
      self = isExported ? .ownNames : .mappedKeys
    }
  }

  struct RelationshipSource {
    var relationship: Relationship
    var source: Source
    /// Where its objects stand in the record.
    var path: [String]
    /// What the rules say about those objects.
    var rules: [ImportRule]
    /// A value may stand for its object.
    var isKeyed: Bool
  }

  let entity: Entity
  /// From the record to the object.
  let path: [String]
  /// The stored attributes.
  let attributes: [(name: String, source: Source)]
  let relationships: [RelationshipSource]
  /// The keys of the object that some property takes.
  let taken: KeyTree
  /// In an array an object has no path of its own, so that no rule can point into it.
  private let isInArray: Bool
  private let keys: ImportKeys
  /// By relationship.
  private var nested: [String: [Key: ObjectMapping]] = [:]

  /// What tells mappings at one place apart.
  struct Key: Hashable {
    var entity: String
    var precedence: Precedence
  }

  /// The model's own name for a key path in JSON. Further ones, `mappedKeyName.1` to `.9`, count until one is missing.
  private static let userInfoKey = "mappedKeyName"

  private static func mappedPaths(_ userInfo: [String: String]) -> (
    first: [String]?, others: [[String]]
  ) {
    func path(_ key: String) -> [String]? {
      userInfo[key].map { $0.split(separator: ".").map(String.init) }
    }
    var others: [[String]] = []
    for number in 1...9 {
      guard let next = path("\(userInfoKey).\(number)") else { break }
      others.append(next)
    }
    return (path(userInfoKey), others)
  }

  /// The mapping of a whole record.
  convenience init(
    _ entity: Entity, by keys: ImportKeys, _ precedence: Precedence, rules: [ImportRule]
  ) {
    self.init(
      entity, by: keys, precedence, at: [], rules: rules, takenByRules: rules.map(\.json),
      isInArray: false)
  }

  private init(
    _ entity: Entity, by keys: ImportKeys, _ precedence: Precedence, at path: [String],
    rules: [ImportRule], takenByRules: [[String]], isInArray: Bool
  ) {
    self.entity = entity
    self.keys = keys
    let model = keys.model
    self.path = path
    self.isInArray = isInArray
    attributes = model.storedAttributes(of: entity)
      .map { ($0.name, Self.source($0.name, $0.userInfo, precedence, rules)) }
    relationships = model.relationships(of: entity).filter { !$0.isTransient }
      .map { relationship in
        let source = Self.source(relationship.name, relationship.userInfo, precedence, rules)
        return RelationshipSource(
          relationship: relationship, source: source,
          path: source.isFromRecord ? source.path : path + source.path,
          rules: rules.compactMap { $0.behind(relationship.name) },
          isKeyed: keys.attribute(behind: relationship) != nil)
      }
    var taken = KeyTree()
    for source in attributes.map(\.source) + relationships.map(\.source)
    where !source.isFromRecord {
      for path in [source.path] + source.others { taken.insert(path[...]) }
    }
    for path in takenByRules { taken.insert(path[...]) }
    self.taken = taken
  }

  private static func source(
    _ name: String, _ userInfo: [String: String], _ precedence: Precedence, _ rules: [ImportRule]
  ) -> Source {
    if let rule = rules.first(where: { $0.property.joined(separator: ".") == name }) {
      return Source(path: rule.json, isFromRecord: true)
    }
    let mapped = mappedPaths(userInfo)
    if let first = mapped.first, precedence == .mappedKeys {
      return Source(path: first, others: mapped.others)
    }
    let elements = name.split(separator: ".").map(String.init)
    let nested = elements.count > 1 ? [elements] : []
    return Source(path: [name], others: nested + [mapped.first].compactMap { $0 } + mapped.others)
  }

  /// The mapping of the objects of an entity that a relationship leads to.
  func nested(
    _ entity: Entity, _ precedence: Precedence, behind relationship: RelationshipSource,
    all rules: [ImportRule]
  ) -> ObjectMapping {
    let name = relationship.relationship.name
    let key = Key(entity: entity.name, precedence: precedence)
    if let known = nested[name]?[key] { return known }
    let isInArray = isInArray || relationship.relationship.isToMany
    let path = relationship.path
    let taken = rules.map(\.json).filter { $0.starts(with: path) }
      .map { Array($0.dropFirst(path.count)) }
    let made = ObjectMapping(
      entity, by: keys, precedence, at: path, rules: isInArray ? [] : relationship.rules,
      takenByRules: isInArray ? [] : taken, isInArray: isInArray)
    nested[name, default: [:]][key] = made
    return made
  }
}

extension ImportRule {
  /// The rule as seen from behind a relationship; nil when it does not lead there.
  fileprivate func behind(_ relationship: String) -> ImportRule? {
    guard property.count > 1, property[0] == relationship else { return nil }
    return ImportRule(property: Array(property.dropFirst()), json: json)
  }
}

/// A set of paths of keys.
struct KeyTree {
  /// A path ends here: it takes the whole value.
  private(set) var isWhole = false
  private var children: [String: KeyTree] = [:]

  /// What the paths through a key go on with; nil when there are none.
  subscript(key: String) -> KeyTree? { children[key] }

  mutating func insert(_ path: ArraySlice<String>) {
    guard let key = path.first else {
      isWhole = true
      return
    }
    children[key, default: KeyTree()].insert(path.dropFirst())
  }
}

/// One object of the JSON, on its way to become a row.
struct ImportedObject {
  let entity: Entity
  /// The record's `$id`, by which others in the file refer to it.
  var identity: String?
  var attributes: [ImportedValue] = []
  var links: [ImportedLink] = []

  /// Whether it has something behind a to-one relationship.
  func gives(_ relationship: String) -> Bool {
    links.contains { $0.relationship.name == relationship && !$0.targets.isEmpty }
  }

  /// Whether the JSON said anything about it.
  var isEmpty: Bool {
    identity == nil && links.allSatisfy(\.targets.isEmpty)
      && attributes.allSatisfy(\.value.isNull)
  }
}

/// The value of an attribute.
struct ImportedValue {
  var attribute: String
  var value: JSONValue
}

/// A relationship and what it leads to: one target for a to-one, members in order for a to-many, none
/// for `null`.
struct ImportedLink {
  let relationship: Relationship
  var targets: [ImportedTarget]
}

/// What a relationship leads to.
indirect enum ImportedTarget {
  /// An object nested in the one that has the relationship.
  case object(ImportedObject)
  /// The `$id` of a record in the file, the object ID of a row in the store, or the value of a key.
  case reference(String)
}
