import SeededRandom
import StoreModel
import StorePredicate

/// A random history of a model. Entities and properties are added, removed, added again, and renamed with and without
/// identifiers. The names of the versions don't reveal their order.
struct RandomBundle {
  let seed: UInt64
  /// The versions in the order in which they were created.
  private(set) var versions: [DataModel] = []
  private var random: SeededGenerator
  private var entities: [EntityDescription] = []
  /// Removed entities that can be added again.
  private var away: [EntityDescription] = []
  private var names: [String]

  init(seed: UInt64) {
    self.seed = seed
    random = SeededGenerator(seed: seed)
    let count = Int.random(in: 3...12, using: &random)
    let words = ["groups", "media", "sync", "calls", "archive", "labels"]
    names = (1...count).map { "App_\(words[$0 % words.count])_v\($0)" }
    names.shuffle(using: &random)
    for _ in 0..<3 { addEntity() }
    for _ in 0..<2 { addRelationship() }
    record()
    while versions.count < count {
      for _ in 0..<Int.random(in: 1...4, using: &random) { change() }
      record()
    }
  }

  /// Returns the first and the last version, or any two in any order.
  mutating func pair() -> (from: Int, to: Int) {
    if oneIn(2) { return (0, versions.count - 1) }
    let from = Int.random(in: versions.indices, using: &random)
    let others = versions.indices.filter { $0 != from }
    return (from, others.randomElement(using: &random) ?? from)
  }

  /// Returns a definition between two adjacent versions, neither of them the first or the last. It doesn't change any
  /// values.
  mutating func definition() -> (from: String, to: String, xml: String)? {
    guard versions.count > 4, oneIn(2) else { return nil }
    let from = Int.random(in: 1..<versions.count - 2, using: &random)
    let (old, new) = (versions[from], versions[from + 1])
    let entity = new.entities.first { found in
      !found.attributes.isEmpty && old.entity(named: found.name) != nil
    }
    guard let entity else { return nil }
    return (
      old.name, new.name,
      """
      <migration from="\(old.name)" to="\(new.name)"><entity name="\(entity.name)">\
      <attribute name="\(entity.attributes[0].name)" default="'defined'"/></entity></migration>
      """
    )
  }

  private mutating func record() {
    let known = Set(entities.map(\.name))
    // A relationship is removed while its destination is.
    versions.append(
      DataModel(
        name: names[versions.count],
        entities: entities.map { entity in
          var entity = entity
          entity.relationships.removeAll { !known.contains($0.destination) }
          return entity
        }))
  }

  private mutating func oneIn(_ count: Int) -> Bool {
    Int.random(in: 0..<count, using: &random) == 0
  }

  private mutating func change() {
    guard let index = entities.indices.randomElement(using: &random) else { return addEntity() }
    switch Int.random(in: 0..<12, using: &random) {
    case 0: addEntity()
    case 1 where entities.count > 1: away.append(entities.remove(at: index))
    case 2 where !away.isEmpty: entities.append(away.removeFirst())
    case 3: rename(entity: index)
    case 4, 5: addAttribute(to: index)
    case 6, 7:
      if let place = entities[index].attributes.indices.randomElement(using: &random) {
        entities[index].attributes.remove(at: place)
      }
    case 8, 9: renameAttribute(of: index)
    case 10:
      if let place = entities[index].attributes.indices.randomElement(using: &random) {
        entities[index].attributes[place].isOptional.toggle()
        entities[index].attributes[place].defaultValue = .string("0")
      }
    default: addRelationship()
    }
  }

  private mutating func addEntity() {
    let known = Set((entities + away).map(\.name))
    guard let name = (0..<30).map({ "E\($0)" }).first(where: { !known.contains($0) }) else {
      return
    }
    entities.append(EntityDescription(name: name))
    for _ in 0..<3 { addAttribute(to: entities.count - 1) }
  }

  /// Chooses from a small set of names, so that a removed name returns with another meaning.
  private mutating func addAttribute(to index: Int) {
    let known = Set(entities[index].attributes.map(\.name))
    guard
      let name = (0..<6).map({ "a\($0)" }).filter({ !known.contains($0) })
        .randomElement(using: &random)
    else { return }
    entities[index].attributes.append(
      AttributeDescription(name: name, type: .string, isOptional: true))
    entities[index].attributes.sort { $0.name < $1.name }
  }

  private mutating func renameAttribute(of index: Int) {
    let known = Set(entities[index].attributes.map(\.name))
    guard let place = entities[index].attributes.indices.randomElement(using: &random),
      let name = (0..<9).map({ "a\($0)" }).filter({ !known.contains($0) })
        .randomElement(using: &random)
    else { return }
    let old = entities[index].attributes[place].name
    entities[index].attributes[place].name = name
    entities[index].attributes[place].renamingIdentifier = oneIn(3) ? nil : old
    entities[index].attributes.sort { $0.name < $1.name }
  }

  private mutating func rename(entity index: Int) {
    let old = entities[index].name
    let name = "\(old)\(["x", "y", "z"].randomElement(using: &random) ?? "")"
    guard !(entities + away).contains(where: { $0.name == name }) else { return }
    entities[index].name = name
    entities[index].renamingIdentifier = oneIn(3) ? nil : old
    for place in entities.indices {
      for number in entities[place].relationships.indices
      where entities[place].relationships[number].destination == old {
        entities[place].relationships[number].destination = name
      }
    }
  }

  private mutating func addRelationship() {
    guard let one = entities.indices.randomElement(using: &random),
      let other = entities.indices.randomElement(using: &random), one != other
    else { return }
    let number = Int.random(in: 0..<6, using: &random)
    let (there, back) = ("r\(number)", "s\(number)")
    guard
      !(entities + away).contains(where: { entity in
        entity.relationships.contains { $0.name == there || $0.name == back }
      })
    else { return }
    let isMany = oneIn(2)
    entities[one].relationships.append(
      RelationshipDescription(
        name: there, destination: entities[other].name, inverse: back,
        cardinality: isMany ? .toMany(ordered: false) : .toOne, isOptional: true))
    entities[other].relationships.append(
      RelationshipDescription(
        name: back, destination: entities[one].name, inverse: there,
        cardinality: .toMany(ordered: oneIn(3)), isOptional: true))
  }
}
