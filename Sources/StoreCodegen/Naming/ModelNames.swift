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
