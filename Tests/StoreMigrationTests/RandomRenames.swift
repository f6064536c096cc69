import SeededRandom
import StoreModel
import StorePredicate

/// Two random versions of a model. The second one exchanges or reassigns the names of entities and properties, which
/// are identified by renaming identifiers.
struct RandomRenames {
  let seed: UInt64
  let source: DataModel
  let target: DataModel

  /// The attribute that identifies each row. Its name doesn't change.
  static let tag = "tag"

  private struct Property {
    var name: String
    var identifier: String?
    var canonical: String { identifier ?? name }
  }

  private struct Link {
    /// The number of the entity.
    var owner: Int
    var destination: Int
    var there: Property
    var back: Property
    var isMany: Bool
    var isOrdered: Bool
  }

  private struct Kind {
    var entity: Property
    var parent: Int?
    var attributes: [Property] = []
    var indexed: Set<String> = []
  }

  init(seed: UInt64) {
    self.seed = seed
    var random = SeededGenerator(seed: seed)
    func oneIn(_ count: Int) -> Bool { random.below(count) == 0 }
    func identifier(_ number: Int) -> String? { oneIn(3) ? "id-\(number)" : nil }

    var names = (0..<5).map { "E\($0)" }
    names.shuffle(using: &random)
    var kinds = (0..<3 + random.below(2)).map { number in
      Kind(
        entity: Property(name: names[number], identifier: identifier(number)),
        parent: number == 2 && oneIn(2) ? 0 : nil)
    }
    // The names of an entity and its sub-entity must differ.
    func pool(_ number: Int) -> [String] {
      (0..<6).map { "\(kinds[number].parent == nil ? "a" : "b")\($0)" }
    }
    for number in kinds.indices {
      var free = pool(number)
      free.shuffle(using: &random)
      kinds[number].attributes = (0..<3 + random.below(2)).map {
        Property(name: free[$0], identifier: identifier(100 + 10 * number + $0))
      }
      kinds[number].indexed = Set(kinds[number].attributes.prefix(random.below(3)).map(\.canonical))
    }
    let linkPool = (0..<6).map { "r\($0)" }
    let backPool = (0..<6).map { "s\($0)" }
    let links = (0..<3 + random.below(2)).map { number in
      let isMany = oneIn(2)
      return Link(
        owner: random.below(kinds.count), destination: random.below(kinds.count),
        there: Property(name: linkPool[number], identifier: identifier(20 + number)),
        back: Property(name: backPool[number], identifier: identifier(30 + number)),
        isMany: isMany, isOrdered: oneIn(3))
    }
    source = Self.model("Old", kinds, links, added: [:])

    // All names are chosen from the same small set.
    var newKinds = kinds
    var newNames = (0..<5).map { "E\($0)" }
    newNames.shuffle(using: &random)
    var added: [Int: [AttributeDescription]] = [:]
    for number in kinds.indices {
      newKinds[number].entity = Property(
        name: newNames[number], identifier: kinds[number].entity.canonical)
      var free = pool(number)
      free.shuffle(using: &random)
      let kept = kinds[number].attributes.filter { _ in !oneIn(6) }
      newKinds[number].attributes = kept.map { old in
        Property(name: free.removeLast(), identifier: old.canonical)
      }
      // A new attribute with the name of a removed one would keep its values.
      let gone = Set(kinds[number].attributes.map(\.name)).subtracting(kept.map(\.name))
      free.removeAll(where: gone.contains)
      added[number] = (0..<min(free.count, random.below(3))).map { place in
        AttributeDescription(
          name: free.removeLast(), type: .string, isOptional: true,
          renamingIdentifier: "new-\(place)")
      }
      // An added attribute changes the hash, even if names are only exchanged.
      added[number, default: []].append(
        AttributeDescription(name: "extra\(number)", type: .string, isOptional: true))
    }
    var (there, back) = (linkPool, backPool)
    there.shuffle(using: &random)
    back.shuffle(using: &random)
    let newLinks = links.map { old in
      var link = old
      link.there = Property(name: there.removeLast(), identifier: old.there.canonical)
      link.back = Property(name: back.removeLast(), identifier: old.back.canonical)
      return link
    }
    target = Self.model("New", newKinds, newLinks, added: added)
  }

  private static func model(
    _ name: String, _ kinds: [Kind], _ links: [Link], added: [Int: [AttributeDescription]]
  ) -> DataModel {
    DataModel(
      name: name,
      entities: kinds.enumerated().map { number, kind in
        var attributes = kind.attributes.map {
          AttributeDescription(
            name: $0.name, type: .string, isOptional: true,
            isIndexed: kind.indexed.contains($0.canonical), renamingIdentifier: $0.identifier)
        }
        attributes += added[number, default: []]
        if kind.parent == nil {
          attributes.append(AttributeDescription(name: tag, type: .string, isOptional: true))
        }
        let relationships = links.flatMap { link -> [RelationshipDescription] in
          let ends = (kinds[link.owner].entity.name, kinds[link.destination].entity.name)
          let there = RelationshipDescription(
            name: link.there.name, destination: ends.1, inverse: link.back.name,
            cardinality: link.isMany ? .toMany(ordered: link.isOrdered) : .toOne, isOptional: true,
            renamingIdentifier: link.there.identifier)
          let back = RelationshipDescription(
            name: link.back.name, destination: ends.0, inverse: link.there.name,
            cardinality: .toMany(ordered: false), isOptional: true,
            renamingIdentifier: link.back.identifier)
          return (link.owner == number ? [there] : []) + (link.destination == number ? [back] : [])
        }
        return EntityDescription(
          name: kind.entity.name, parent: kind.parent.map { kinds[$0].entity.name },
          attributes: attributes.sorted { $0.name < $1.name },
          relationships: relationships.sorted { $0.name < $1.name },
          renamingIdentifier: kind.entity.identifier)
      })
  }
}
