import StoreModel

/// One pass over a model that gives every declaration its name, apart from all writing.
struct ModelNames: Hashable, Sendable {
  /// `TodoModel`, or the namespace `TodoV1`.
  let schema: String
  /// By entity.
  private let types: [String: String]
  /// By entity, then by property; inherited ones included.
  private let members: [String: [String: String]]
  /// By the entity that declares the attribute, then by attribute.
  private var nested: [String: [String: String]] = [:]
  /// By entity, then by fetched property; inherited ones included.
  private let requests: [String: [String: String]]
  /// By template.
  private let templates: [String: String]
  /// The constants in which the schema holds its entities.
  private let constants: [String: String]
  /// Names at the top that no entity has.
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

  /// A nested type hides what has its name outside, and so has one that nothing else has.
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

  /// Every name that could hide another one.
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
  /// It has an enumeration or a structure of its own.
  fileprivate var needsNestedType: Bool {
    if case .composite = type { return true }
    return userInfo[EnumSpelling.casesKey] != nil
  }
}

extension Model {
  /// Own and inherited ones, by name.
  func fetchedProperties(of entity: Entity) -> [FetchedProperty] {
    ([entity] + ancestors(of: entity)).flatMap(\.fetchedProperties).sorted { $0.name < $1.name }
  }
}

/// The names of one scope: each is given once.
struct NamePool: Hashable, Sendable {
  private(set) var taken: Set<String>

  init(taken: Set<String> = []) {
    self.taken = taken.union(SwiftName.impossible).union(SwiftName.modules)
  }

  /// The name, with an underscore or more behind it where it is taken.
  mutating func take(_ name: String) -> String {
    var free = name
    while !taken.insert(free).inserted { free += "_" }
    return free
  }

  /// A name for each, the same for the same list: those that need no change come first.
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

/// Which names a style of generated code gives, and which it needs for itself.
struct NamingRules: Sendable {
  /// The type of an entity, where that is not its name with a capital letter.
  var type: (@Sendable (Entity) -> String)?
  /// Names at the top.
  var types: Set<String> = []
  /// What a type of rows and its properties have by the library's protocols and classes.
  var members: Set<String>
  /// The same of its static members.
  var statics: Set<String>
  /// Types that stand inside every generated type, and would be taken for one of that name.
  var nested: Set<String> = []
  /// Composites and enumerations stand inside the types of entities.
  var nestsTypes = false
  /// Functions of templates stand among the static members.
  var templatesAreMembers = false

  /// The name of a type that no other type needs.
  func typeName(_ name: String) -> String {
    let type = SwiftName.type(name)
    return nested.contains(type) ? type + "Object" : type
  }

  /// Structures for our own libraries.
  static let types = NamingRules(
    types: ["Templates"],
    members: ["ID", "Properties", "hash", "hashValue", "propertyValues"],
    statics: ["all", "entityName", "entityNames", "propertyNames"],
    nested: ["ID", "Owner", "Properties"], nestsTypes: true)

  /// Classes for Core Data. A class has the name that the model gives it.
  static let managedObjects = NamingRules(
    type: { SwiftName.exactType(ObjectClass(of: $0).name) },
    members: SwiftName.membersOfManagedObjects, statics: SwiftName.staticMembersOfManagedObjects,
    templatesAreMembers: true)

  /// Classes for SwiftData, which calls an entity by the name of its class.
  static let swiftData = NamingRules(
    type: { SwiftName.exactType($0.name) },
    members: SwiftName.membersOfPersistentModels, statics: ["schemaMetadata"],
    templatesAreMembers: true)
}
