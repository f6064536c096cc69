import StoreModel

/// The names of all declarations for a model, which are assigned before anything is written.
struct ModelNames: Hashable, Sendable {
  /// The name of the schema, such as `TodoModel`, or `TodoV1` for the namespace of a version.
  let schema: String
  /// The names of the types, by entity.
  private let types: [String: String]
  /// The names of the members for own and inherited properties, by entity, then by property.
  private let members: [String: [String: String]]
  /// The names of the nested types, by the entity that declares the attribute, then by attribute.
  private var nested: [String: [String: String]] = [:]
  /// The names of the functions for own and inherited fetched properties, by entity, then by fetched property.
  private let requests: [String: [String: String]]
  /// The names of the functions for templates, by template.
  private let templates: [String: String]
  /// The names of the constants for entities in the schema, by entity.
  private let constants: [String: String]
  /// The reserved names at the top level.
  private let others: Set<String>

  init(of model: DataModel, schema: String, by rules: NamingRules) {
    var pool = NamePool(taken: rules.types)
    self.schema = pool.take(schema)
    let wanted = Dictionary(
      model.entities.map { ($0.name, rules.type?($0) ?? rules.typeName($0.name)) }
    ) { first, _ in first }
    types = pool.take(model.entities.map(\.name)) { wanted[$0] ?? $0 }
    var constants = NamePool(taken: ["model", "versionHashes"])
    self.constants = constants.take(model.entities.map(\.name)) { name in
      let type = wanted[name] ?? name
      return type.prefix(1).lowercased() + type.dropFirst() + "Entity"
    }
    var templates = NamePool(taken: rules.templatesAreMembers ? rules.statics : [])
    self.templates = templates.take(model.templates.map(\.name), as: SwiftName.member)
    var members: [String: [String: String]] = [:]
    var requests: [String: [String: String]] = [:]
    for entity in model.entities {
      var pool = NamePool(taken: rules.members)
      let names =
        model.attributes(of: entity).map(\.name) + model.relationships(of: entity).map(\.name)
      members[entity.name] = pool.take(names, as: SwiftName.member)
      var statics = NamePool(
        taken: rules.templatesAreMembers ? templates.taken : rules.statics)
      requests[entity.name] = statics.take(
        model.fetchedProperties(of: entity).map(\.name), as: SwiftName.member)
    }
    self.members = members
    self.requests = requests
    others = rules.types
    if rules.nestsTypes { nameNested(in: model, pool, rules) }
  }

  /// Assigns the names of nested types. A nested type would hide an outer type with the same name, so it has a name
  /// that no outer type has.
  private mutating func nameNested(in model: DataModel, _ outer: NamePool, _ rules: NamingRules) {
    let taken = outer.taken.union(members.values.flatMap(\.values)).union(rules.members)
    for entity in model.entities {
      var pool = NamePool(taken: taken)
      for attribute in entity.attributes where attribute.needsNestedType {
        let wanted = attribute.userInfo[EnumSpelling.nameKey] ?? attribute.name
        nested[entity.name, default: [:]][attribute.name] = pool.take(rules.typeName(wanted))
      }
    }
  }

  /// All names of declarations that can hide another declaration with the same name.
  var all: Set<String> {
    Set([schema]).union(others).union(types.values)
      .union(templates.values)
      .union([members, requests, nested].flatMap(\.values).flatMap(\.values))
  }

  func type(of entity: String) -> String { types[entity] ?? entity }

  func constant(of entity: String) -> String { constants[entity] ?? entity }

  func member(_ property: String, of entity: String) -> String {
    members[entity]?[property] ?? property
  }

  func nestedType(of attribute: String, declaredBy entity: String) -> String? {
    nested[entity]?[attribute]
  }

  func request(_ fetchedProperty: String, of entity: String) -> String {
    requests[entity]?[fetchedProperty] ?? fetchedProperty
  }

  func function(of template: String) -> String { templates[template] ?? template }
}

extension AttributeDescription {
  /// Whether the attribute has its own enumeration or structure.
  fileprivate var needsNestedType: Bool {
    if case .composite = type { return true }
    return userInfo[EnumSpelling.casesKey] != nil
  }
}

extension DataModel {
  /// Returns the own and inherited fetched properties, sorted by name.
  func fetchedProperties(of entity: EntityDescription) -> [FetchedProperty] {
    ([entity] + ancestors(of: entity)).flatMap(\.fetchedProperties).sorted { $0.name < $1.name }
  }
}

/// The names that are used in a scope. No name is used twice.
struct NamePool: Hashable, Sendable {
  private(set) var taken: Set<String>

  init(taken: Set<String> = []) {
    self.taken = taken.union(SwiftName.impossible).union(SwiftName.modules)
  }

  /// Returns the name and marks it as used. If it is already used, underscores are appended.
  mutating func take(_ name: String) -> String {
    var free = name
    while !taken.insert(free).inserted { free += "_" }
    return free
  }

  /// Returns a unique Swift name for each name, by the original name. Names that are valid in Swift are assigned first,
  /// so that they don't change.
  mutating func take(_ names: [String], as swiftName: (String) -> String) -> [String: String] {
    var given: [String: String] = [:]
    for isExact in [true, false] {
      for name in names where given[name] == nil && (swiftName(name) == name) == isExact {
        given[name] = take(swiftName(name))
      }
    }
    return given
  }
}

/// How a style of generated code chooses names, and the names that it reserves.
struct NamingRules: Sendable {
  /// Returns the type name of an entity. If it is nil, the type name is the capitalized name of the entity.
  var type: (@Sendable (EntityDescription) -> String)?
  /// The reserved names at the top level.
  var types: Set<String> = []
  /// The reserved names of members, such as members that a generated type inherits from a protocol or a class.
  var members: Set<String>
  /// The reserved names of static members.
  var statics: Set<String>
  /// The names of the types that each generated type contains. The type of an entity can't have these names.
  var nested: Set<String> = []
  /// Whether composites and enumerations are nested in the types of entities.
  var nestsTypes = false
  /// Whether the functions of templates are static members of the entities' types.
  var templatesAreMembers = false

  /// Returns a Swift type name that isn't in `nested`.
  func typeName(_ name: String) -> String {
    let type = SwiftName.type(name)
    return nested.contains(type) ? type + "Object" : type
  }

  /// The rules for structures for storetool's libraries.
  static let types = NamingRules(
    types: ["Templates"],
    members: ["ID", "Properties", "hash", "hashValue", "propertyValues"],
    statics: ["all", "entityName", "entityNames", "propertyNames"],
    nested: ["ID", "Owner", "Properties"], nestsTypes: true)

  /// The rules for Core Data classes, whose names are in the model.
  static let managedObjects = NamingRules(
    type: { SwiftName.exactType(ObjectClass(of: $0).name) },
    members: SwiftName.membersOfManagedObjects, statics: SwiftName.staticMembersOfManagedObjects,
    templatesAreMembers: true)

  /// The rules for SwiftData classes. SwiftData names an entity after its class, so a class has the name of the entity.
  static let swiftData = NamingRules(
    type: { SwiftName.exactType($0.name) },
    members: SwiftName.membersOfPersistentModels, statics: ["schemaMetadata"],
    templatesAreMembers: true)
}
