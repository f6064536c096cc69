import StoreModel

/// The names of all declarations for a model, which are assigned before anything is written.
struct ModelNames: Hashable, Sendable {
  /// `TodoModel`, or the namespace `TodoV1`.
  let schema: String
  /// The types by entity.
  private let types: [String: String]
  /// The members by entity, then by property, including inherited ones.
  private let members: [String: [String: String]]
  /// The nested types by the entity that declares the attribute, then by attribute.
  private var nested: [String: [String: String]] = [:]
  /// The functions by entity, then by fetched property, including inherited ones.
  private let requests: [String: [String: String]]
  /// The functions by template.
  private let templates: [String: String]
  /// The constants of the entities in the schema.
  private let constants: [String: String]
  /// The other names at the top level.
  private let others: Set<String>

  init(of model: Model, schema: String, by rules: NamingRules) {
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

  /// Names nested types. A nested type hides an outer type with its name, so all names are unique.
  private mutating func nameNested(in model: Model, _ outer: NamePool, _ rules: NamingRules) {
    let taken = outer.taken.union(members.values.flatMap(\.values)).union(rules.members)
    for entity in model.entities {
      var pool = NamePool(taken: taken)
      for attribute in entity.attributes where attribute.needsNestedType {
        let wanted = attribute.userInfo[EnumSpelling.nameKey] ?? attribute.name
        nested[entity.name, default: [:]][attribute.name] = pool.take(rules.typeName(wanted))
      }
    }
  }

  /// All names that can hide another one.
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

extension Attribute {
  /// Whether the attribute has its own enumeration or structure.
  fileprivate var needsNestedType: Bool {
    if case .composite = type { return true }
    return userInfo[EnumSpelling.casesKey] != nil
  }
}

extension Model {
  /// Returns own and inherited fetched properties by name.
  func fetchedProperties(of entity: Entity) -> [FetchedProperty] {
    ([entity] + ancestors(of: entity)).flatMap(\.fetchedProperties).sorted { $0.name < $1.name }
  }
}

/// The names of a scope. Each is used once.
struct NamePool: Hashable, Sendable {
  private(set) var taken: Set<String>

  init(taken: Set<String> = []) {
    self.taken = taken.union(SwiftName.impossible).union(SwiftName.modules)
  }

  /// Returns the name, with underscores after it if it is already used.
  mutating func take(_ name: String) -> String {
    var free = name
    while !taken.insert(free).inserted { free += "_" }
    return free
  }

  /// Returns a name for each. The result depends only on the list, and names that don't need a change are first.
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

/// The names that a style of generated code uses and reserves.
struct NamingRules: Sendable {
  /// Returns the type of an entity, if it isn't the capitalized name.
  var type: (@Sendable (Entity) -> String)?
  /// The reserved names at the top level.
  var types: Set<String> = []
  /// The members of protocols and classes that a type of rows and its properties inherit.
  var members: Set<String>
  /// The static members that they inherit.
  var statics: Set<String>
  /// The types in each generated type, which would be confused with a type of that name.
  var nested: Set<String> = []
  /// Whether composites and enumerations are nested in the types of entities.
  var nestsTypes = false
  /// Whether functions of templates are static members.
  var templatesAreMembers = false

  /// Returns a type name that isn't reserved.
  func typeName(_ name: String) -> String {
    let type = SwiftName.type(name)
    return nested.contains(type) ? type + "Object" : type
  }

  /// Structures for storetool's libraries.
  static let types = NamingRules(
    types: ["Templates"],
    members: ["ID", "Properties", "hash", "hashValue", "propertyValues"],
    statics: ["all", "entityName", "entityNames", "propertyNames"],
    nested: ["ID", "Owner", "Properties"], nestsTypes: true)

  /// Classes for Core Data. A class has its name in the model.
  static let managedObjects = NamingRules(
    type: { SwiftName.exactType(ObjectClass(of: $0).name) },
    members: SwiftName.membersOfManagedObjects, statics: SwiftName.staticMembersOfManagedObjects,
    templatesAreMembers: true)

  /// Classes for SwiftData, in which an entity has the name of its class.
  static let swiftData = NamingRules(
    type: { SwiftName.exactType($0.name) },
    members: SwiftName.membersOfPersistentModels, statics: ["schemaMetadata"],
    templatesAreMembers: true)
}
