import SeededRandom
import StoreModel
import StorePredicate

/// A random model with all kinds of derived attributes that Apple documents, including inheritance, self-relationships,
/// one-to-one and many-to-many relationships, and a random graph of it.
struct DerivedGraph {
  let model: DataModel
  /// NDJSON for `import`.
  let records: String
  let count: Int

  init(_ generator: inout SeededGenerator) {
    let model = Self.model(&generator)
    let count = Int.random(in: 4...20, using: &generator)
    self.model = model
    self.count = count
    var lines: [String] = []
    let entities = (0..<count).map { _ in model.entities.randomElement(using: &generator)?.name }
    for (number, name) in entities.enumerated() {
      guard let entity = model.entity(named: name ?? "") else { continue }
      var members = [
        ##""$entity": "\##(entity.name)", "$id": "#\##(number)", "code": \##(number)"##,
        #""text": \#(Self.text(&generator))"#,
      ]
      for relationship in Self.singles(of: entity, in: model) {
        let candidates = entities.indices.filter {
          Self.isKind(entities[$0], of: relationship.destination, in: model)
        }
        guard let target = candidates.randomElement(using: &generator),
          Bool.random(using: &generator)
        else { continue }
        members.append(##""\##(relationship.name)": "#\##(target)""##)
      }
      lines.append("{\(members.joined(separator: ", "))}")
    }
    records = lines.shuffled(using: &generator).joined(separator: "\n")
  }

  static func text(_ generator: inout SeededGenerator) -> String {
    ["null", #""a""#, #""b""#, #""É""#, #""Straße""#].randomElement(using: &generator) ?? "null"
  }

  private static func isKind(_ name: String?, of wanted: String, in model: DataModel) -> Bool {
    guard let entity = model.entity(named: name ?? ""), let wanted = model.entity(named: wanted)
    else { return false }
    return model.isKind(entity, of: wanted)
  }

  /// Returns the to-one relationships whose inverse is to-many.
  static func singles(of entity: EntityDescription, in model: DataModel)
    -> [RelationshipDescription]
  {
    model.relationships(of: entity).filter { relationship in
      !relationship.isToMany && model.inverse(of: relationship)?.0.isToMany ?? true
    }
  }

  // MARK: Model

  private static func model(_ generator: inout SeededGenerator) -> DataModel {
    var entities = (0..<Int.random(in: 1...4, using: &generator)).map { index in
      EntityDescription(
        name: "E\(index)",
        parent: index > 0 && Int.random(in: 0..<3, using: &generator) == 0
          ? "E\(Int.random(in: 0..<index, using: &generator))" : nil)
    }
    for index in entities.indices where entities[index].parent == nil {
      entities[index].attributes = [
        AttributeDescription(name: "code", type: .integer64, isOptional: true),
        AttributeDescription(name: "text", type: .string, isOptional: true, isIndexed: true),
        derived("canonical", .string, "canonical:(text)"),
        derived("lower", .string, "lowercase:(text)"),
        derived("saved", .date, "now()"), derived("twin", .integer64, "code"),
      ]
      entities[index].uniquenessConstraints = [["code"]]
    }
    for number in 0..<Int.random(in: 1...4, using: &generator) {
      relate(&entities, number, &generator)
    }
    for number in 0..<Int.random(in: 0...2, using: &generator) {
      relateMany(&entities, number, &generator)
    }
    for index in entities.indices {
      entities[index].relationships.sort { $0.name < $1.name }
      entities[index].attributes.sort { $0.name < $1.name }
    }
    return DataModel(name: "Derived", entities: entities)
  }

  /// Adds the to-one relationship `r1` and its inverse `s1`, to-one or to-many, and an attribute derived from each.
  private static func relate(
    _ entities: inout [EntityDescription], _ number: Int, _ generator: inout SeededGenerator
  ) {
    let from = Int.random(in: entities.indices, using: &generator)
    let to = Int.random(in: entities.indices, using: &generator)
    let rules: [RelationshipDescription.DeleteRule] = [
      .nullify, .nullify, .nullify, .cascade, .deny,
    ]
    let backs: [RelationshipDescription.Cardinality] = [
      .toMany(ordered: false), .toMany(ordered: false), .toMany(ordered: true), .toOne,
    ]
    let back = backs.randomElement(using: &generator) ?? .toOne
    entities[from].relationships.append(
      RelationshipDescription(
        name: "r\(number)", destination: entities[to].name, inverse: "s\(number)",
        isOptional: true, deleteRule: rules.randomElement(using: &generator) ?? .nullify))
    entities[to].relationships.append(
      RelationshipDescription(
        name: "s\(number)", destination: entities[from].name, inverse: "r\(number)",
        cardinality: back, isOptional: true,
        deleteRule: rules.randomElement(using: &generator) ?? .nullify))
    entities[from].attributes += [
      derived("loud\(number)", .string, "uppercase:(r\(number).text)"),
      derived("deep\(number)", .string, "canonical:(r\(number).lower)"),
    ]
    if back != .toOne {
      entities[to].attributes += [
        derived("sum\(number)", .integer64, "s\(number).code.@sum"),
        derived("total\(number)", .integer64, "s\(number).@sum.twin"),
      ]
    }
    let value = Bool.random(using: &generator) ? "text" : "code"
    entities[from].attributes.append(copy("copied\(number)", of: value, over: "r\(number)"))
    entities[to].attributes.append(
      back == .toOne
        ? copy("back\(number)", of: value, over: "s\(number)")
        : AttributeDescription(
          name: "counted\(number)", type: .integer64, isOptional: true,
          derivation: FormatExpression(
            .keyPath(
              base: FormatExpression(.selfObject),
              [KeyPathStep(.key("s\(number)")), KeyPathStep(.collection(.count))]))))
  }

  /// Adds the to-many relationships `m1` and `w1`.
  private static func relateMany(
    _ entities: inout [EntityDescription], _ number: Int, _ generator: inout SeededGenerator
  ) {
    let from = Int.random(in: entities.indices, using: &generator)
    let to = Int.random(in: entities.indices, using: &generator)
    for (index, other, name, inverse) in [
      (from, to, "m\(number)", "w\(number)"), (to, from, "w\(number)", "m\(number)"),
    ] {
      entities[index].relationships.append(
        RelationshipDescription(
          name: name, destination: entities[other].name, inverse: inverse,
          cardinality: .toMany(ordered: false), isOptional: true, deleteRule: .nullify))
      entities[index].attributes += [
        derived("count\(name)", .integer64, "\(name).@count"),
        derived("sum\(name)", .integer64, "\(name).code.@sum"),
      ]
    }
  }

  private static func derived(_ name: String, _ type: AttributeType, _ text: String)
    -> AttributeDescription
  {
    AttributeDescription(
      name: name, type: type, isOptional: true, derivation: try? FormatExpression(parsing: text))
  }

  private static func copy(
    _ name: String, of value: String, over relationship: String
  ) -> AttributeDescription {
    AttributeDescription(
      name: name, type: value == "text" ? .string : .integer64, isOptional: true,
      derivation: .keyPath(relationship, value))
  }
}
