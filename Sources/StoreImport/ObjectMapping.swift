import RecordFormats
import StoreLayout
import StoreModel

/// The JSON paths of an entity's properties at one location in a record.
///
/// Records usually have the same entities at the same locations, so each mapping is computed once and caches the
/// mappings of nested objects.
final class ObjectMapping {
  /// The location of a property's value in JSON.
  struct Source {
    var path: [String]
    /// Whether the path begins at the record, as in rules, and not at the object.
    var isFromRecord = false
    /// The paths that are tried in this order if the record doesn't have a value at `path`. For example, an element of
    /// a composite has two forms: `"address.street": …` and `"address": {"street": …}`.
    var others: [[String]] = []

    func value(own: JSONValue?, record: JSONValue) -> JSONValue? {
      let start = isFromRecord ? record : own
      if let value = start?.value(at: path) { return value }
      return others.lazy.compactMap { start?.value(at: $0) }.first
    }
  }

  /// Determines which name of a property is tried first in a JSON object.
  enum Precedence: Hashable {
    /// The names in `mappedKeyName`, which data of other programs uses.
    case mappedKeys
    /// The properties' own names, which the output of `export` uses. Objects with `$entity` and `$id` are regarded as
    /// such output.
    case ownNames

    init(of object: JSONValue?) {
      let isExported = object?["$entity"] != nil && object?["$id"] != nil
      self = isExported ? .ownNames : .mappedKeys
    }
  }

  struct RelationshipSource {
    var relationship: RelationshipDescription
    var source: Source
    /// The path from the record to the destination objects.
    var path: [String]
    /// The rules for the destination objects.
    var rules: [ImportRule]
    /// Whether the value of a key attribute can refer to a destination object.
    var isKeyed: Bool
  }

  let entity: EntityDescription
  /// The path from the record to the object.
  let path: [String]
  /// The stored attributes.
  let attributes: [(name: String, source: Source)]
  let relationships: [RelationshipSource]
  /// The paths in the object that are read. Other keys except `$id` and `$entity` are reported as keys without a
  /// property.
  let taken: KeyTree
  /// Whether the object is in an array. Rules don't apply to such objects.
  private let isInArray: Bool
  private let keys: ImportKeys
  /// The mappings of nested objects, by the relationship's name.
  private var nested: [String: [Key: ObjectMapping]] = [:]

  /// The key that distinguishes mappings at one location.
  struct Key: Hashable {
    var entity: String
    var precedence: Precedence
  }

  /// The key in a property's user info whose value is a JSON path. Alternative paths have the keys `mappedKeyName.1` to
  /// `mappedKeyName.9`, and are read up to the first missing number.
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

  /// Creates the mapping of a whole record.
  convenience init(
    _ entity: EntityDescription, by keys: ImportKeys, _ precedence: Precedence, rules: [ImportRule]
  ) {
    self.init(
      entity, by: keys, precedence, at: [], rules: rules, takenByRules: rules.map(\.json),
      isInArray: false)
  }

  private init(
    _ entity: EntityDescription, by keys: ImportKeys, _ precedence: Precedence, at path: [String],
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

  /// Returns the mapping of the destination objects of a relationship.
  func nested(
    _ entity: EntityDescription, _ precedence: Precedence, behind relationship: RelationshipSource,
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
  /// Returns the rule without the first name of its key path, or nil if the first name isn't `relationship` or is the
  /// only name.
  fileprivate func behind(_ relationship: String) -> ImportRule? {
    guard property.count > 1, property[0] == relationship else { return nil }
    return ImportRule(property: Array(property.dropFirst()), json: json)
  }
}

/// A set of key paths.
struct KeyTree {
  /// Whether a path ends here. All keys of the value are then part of the set.
  private(set) var isWhole = false
  private var children: [String: KeyTree] = [:]

  /// The remainders of the paths that begin with a key, or nil if no path begins with it.
  subscript(key: String) -> KeyTree? { children[key] }

  mutating func insert(_ path: ArraySlice<String>) {
    guard let key = path.first else {
      isWhole = true
      return
    }
    children[key, default: KeyTree()].insert(path.dropFirst())
  }
}

/// A JSON object that becomes a row.
struct ImportedObject {
  let entity: EntityDescription
  /// The object's `$id`, by which other objects refer to it.
  var identity: String?
  var attributes: [(name: String, value: JSONValue)] = []
  var links: [ImportedLink] = []

  /// Returns whether the object has a target for a relationship.
  func gives(_ relationship: String) -> Bool {
    links.contains { $0.relationship.name == relationship && !$0.targets.isEmpty }
  }

  /// Whether the object has neither a `$id`, nor targets, nor values other than `null`.
  var isEmpty: Bool {
    identity == nil && links.allSatisfy(\.targets.isEmpty)
      && attributes.allSatisfy(\.value.isNull)
  }
}

/// A relationship with its targets: one for a to-one relationship, the members in order for a to-many relationship, and
/// none for `null`.
struct ImportedLink {
  let relationship: RelationshipDescription
  var targets: [ImportedTarget]
}

indirect enum ImportedTarget {
  /// A nested object.
  case object(ImportedObject)
  /// The `$id` of a record in any input, the object ID of an existing row, or the value of a key.
  case reference(String)
}
