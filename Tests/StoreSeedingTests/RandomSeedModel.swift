import SeededRandom
import StoreModel
import StorePredicate

/// A random model with every kind of rule: bounds, lengths, patterns, uniqueness of one or several attributes in
/// hierarchies of entities, and relationships of each cardinality with numbers of members.
struct RandomSeedModel {
  private(set) var model: DataModel
  private var random: SeededGenerator

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
    model = DataModel(name: "Random", entities: [])
    var entities = (0..<2 + random.below(4)).map { EntityDescription(name: "E\($0)") }
    for index in entities.indices {
      if index > 0, random.below(4) == 0 {
        entities[index].parent = entities[random.below(index)].name
      }
      addAttributes(to: &entities[index])
      addConstraint(to: &entities[index])
    }
    // A parent may be abstract, and then doesn't have rows.
    for index in entities.indices
    where entities.contains(where: { $0.parent == entities[index].name }) {
      entities[index].isAbstract = random.below(2) == 0
    }
    for number in 0..<random.below(6) { addRelationship(number, to: &entities) }
    model = DataModel(name: "Random", entities: entities)
  }

  private static let names = [
    "name", "email", "city", "birthDate", "dueDate", "price", "age", "latitude", "notes", "url",
    "isDone", "count", "code", "photo", "identifier", "rating",
  ]

  private static let patterns = [
    "[A-Z]{2}[0-9]{3,5}", "(red|green|blue)-\\d+", "[a-z]+@[a-z]+\\.org", "^\\w{4,8}$",
    "x(ab|c)*y?", "[^a-z ]{3}",
  ]

  private mutating func addAttributes(to entity: inout EntityDescription) {
    for name in Self.names.shuffled(using: &random).prefix(1 + random.below(6)) {
      var attribute = AttributeDescription(
        name: "\(name)\(entity.name)", type: type(), isOptional: random.below(2) == 0)
      attribute.validation = validation(of: attribute.type)
      if random.below(4) == 0, attribute.validation == AttributeDescription.Validation() {
        attribute.defaultValue = defaultValue(of: attribute.type)
      }
      entity.attributes.append(attribute)
    }
  }

  private mutating func type() -> AttributeType {
    random.pick([
      .integer16, .integer32, .integer64, .boolean, .double, .float, .decimal, .date, .string,
      .string, .string, .uuid, .uri, .binary, .transformable,
    ])
  }

  private mutating func validation(of type: AttributeType) -> AttributeDescription.Validation {
    guard random.below(2) == 0 else { return AttributeDescription.Validation() }
    switch type {
    case .integer16, .integer32, .integer64:
      let low = Int64(random.below(200)) - 100
      return .init(
        minimum: random.below(3) == 0 ? nil : .integer(low),
        maximum: random.below(3) == 0 ? nil : .integer(low + Int64(random.below(50))))
    case .double, .decimal, .float:
      let low = Double(random.below(200)) - 100
      return .init(minimum: .double(low), maximum: .double(low + Double(random.below(9)) / 4))
    case .date:
      let low = Double(random.below(800_000_000))
      return .init(minimum: .date(low), maximum: .date(low + Double(random.below(100_000))))
    case .string:
      if random.below(2) == 0 { return .init(pattern: random.pick(Self.patterns)) }
      let low = Int64(random.below(30))
      return .init(
        minimum: random.below(2) == 0 ? nil : .integer(low),
        maximum: random.below(2) == 0 ? nil : .integer(low + Int64(random.below(20))))
    case .boolean, .uuid, .uri, .binary, .transformable, .undefined, .objectID, .composite:
      return .init()
    }
  }

  private mutating func defaultValue(of type: AttributeType) -> DataValue? {
    switch type {
    case .integer16, .integer32, .integer64: .integer(7)
    case .double, .decimal, .float: .double(0.5)
    case .boolean: .boolean(true)
    case .string: .string("as ever")
    case .date: .date(0)
    case .uuid, .uri, .binary, .transformable, .undefined, .objectID, .composite: nil
    }
  }

  private mutating func addConstraint(to entity: inout EntityDescription) {
    guard random.below(3) == 0 else { return }
    let names = entity.attributes.map(\.name).shuffled(using: &random)
    let first = Array(names.prefix(1 + random.below(2)))
    entity.uniquenessConstraints.append(first)
    if random.below(4) == 0 { entity.uniquenessConstraints.append(Array(names.suffix(1))) }
    if entity.uniquenessConstraints.count == 2,
      entity.uniquenessConstraints[0] == entity.uniquenessConstraints[1]
    {
      entity.uniquenessConstraints.removeLast()
    }
  }

  private mutating func addRelationship(_ number: Int, to entities: inout [EntityDescription]) {
    let (one, other) = (random.below(entities.count), random.below(entities.count))
    let (there, back) = ("to\(number)", "from\(number)")
    if one == other, random.below(3) == 0 {
      // The relationship is its own inverse.
      entities[one].relationships.append(
        side(there, entities[one].name, inverse: there))
      return
    }
    guard random.below(5) > 0 else {
      entities[one].relationships.append(side(there, entities[other].name, inverse: nil))
      return
    }
    entities[one].relationships.append(side(there, entities[other].name, inverse: back))
    entities[other].relationships.append(side(back, entities[one].name, inverse: there))
  }

  private mutating func side(_ name: String, _ destination: String, inverse: String?)
    -> RelationshipDescription
  {
    var relationship = RelationshipDescription(
      name: name, destination: destination, inverse: inverse,
      cardinality: random.below(2) == 0 ? .toOne : .toMany(ordered: random.below(3) == 0),
      isOptional: random.below(3) > 0)
    guard relationship.isToMany, random.below(2) == 0 else { return relationship }
    relationship.minimumCount = random.below(4)
    if random.below(2) == 0 {
      relationship.maximumCount = (relationship.minimumCount ?? 0) + 1 + random.below(4)
    }
    return relationship
  }
}
