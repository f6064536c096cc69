import SeededRandom
import StoreModel
import StorePredicate

/// A model that edits are applied to, one after the other.
struct DraftModel {
  var entities: [EntityDescription]
  var templates: [FetchRequestTemplate]
  var configurations: [ConfigurationDescription]
  /// The current names by their original names, such as "Person" and "Person.age".
  var renamed: [String: String] = [:]

  var model: DataModel {
    DataModel(
      name: "Random", versionIdentifiers: [""], entities: entities, templates: templates,
      configurations: configurations)
  }

  /// Returns the current name of an entity or a property.
  func name(_ original: String) -> String {
    renamed[original] ?? (original.split(separator: ".").last.map(String.init) ?? original)
  }

  func index(_ entity: String) -> Int? {
    entities.firstIndex { $0.name == name(entity) }
  }

  mutating func edit(_ entity: String, _ change: (inout EntityDescription, DraftModel) -> Void) {
    guard let index = index(entity) else { return }
    var copy = entities[index]
    change(&copy, self)
    entities[index] = copy
  }

  mutating func edit(
    _ entity: String, attribute: String, _ change: (inout AttributeDescription) -> Void
  ) {
    edit(entity) { entity, draft in
      let name = draft.name(attribute)
      guard let index = entity.attributes.firstIndex(where: { $0.name == name }) else { return }
      change(&entity.attributes[index])
    }
  }

  mutating func edit(
    _ entity: String, relationship: String, _ change: (inout RelationshipDescription) -> Void
  ) {
    edit(entity) { entity, draft in
      let name = draft.name(relationship)
      guard let index = entity.relationships.firstIndex(where: { $0.name == name }) else { return }
      change(&entity.relationships[index])
    }
  }
}

extension DraftModel {
  /// Creates a valid model: entities with attributes, pairs of relationships, indexes, constraints and templates.
  init(_ random: inout SeededGenerator) {
    let words = ["Item", "note", "Tag", "album", "Zone"]
    entities = (0...(2 + random.below(4))).map { number in
      let name = "\(random.pick(words))\(number + 1)"
      var entity = EntityDescription(
        name: name, className: random.below(2) == 0 ? nil : name,
        codeGeneration: random.pick([nil, "class"]),
        attributes: (0...(1 + random.below(4))).map { part in
          AttributeDescription(
            name: "\(random.pick(["a", "B", "item"]))\(part + 1)\(number)", type: .integer32,
            isOptional: random.below(2) == 0, defaultValue: .integer(Int64(random.below(9))))
        })
      let names = entity.attributes.map(\.name)
      entity.userInfo = random.below(2) == 0 ? [:] : ["key": "\(random.below(9))"]
      if random.below(2) == 0 { entity.uniquenessConstraints = [[names[0]]] }
      if random.below(2) == 0 {
        entity.indexes = [
          FetchIndex(name: "byFirst", elements: [.init(.property(names[0]))], origin: .fetchIndex)
        ]
      }
      return entity
    }
    templates = (0..<random.below(3)).map {
      FetchRequestTemplate(name: "all\($0)", entity: "", limit: 1 + $0)
    }
    configurations = []
    for index in templates.indices { templates[index].entity = random.pick(entities).name }
    if random.below(2) == 0 {
      configurations = [ConfigurationDescription(name: "Main", entities: entities.map(\.name))]
    }
    for number in 0..<random.below(4) {
      let pair = (random.pick(entities).name, random.pick(entities).name)
      connect(pair.0, "to\(number)", pair.1, "from\(number)")
    }
  }

  mutating func connect(_ entity: String, _ there: String, _ other: String, _ back: String) {
    let (own, target) = (name(entity), name(other))
    edit(entity) { entity, _ in
      entity.relationships.append(
        RelationshipDescription(
          name: there, destination: target, inverse: back, cardinality: .toMany(ordered: false),
          isOptional: true, deleteRule: .nullify))
    }
    edit(other) { entity, _ in
      entity.relationships.append(
        RelationshipDescription(
          name: back, destination: own, inverse: there, cardinality: .toOne, isOptional: true,
          maximumCount: 1, deleteRule: .cascade))
    }
  }
}
