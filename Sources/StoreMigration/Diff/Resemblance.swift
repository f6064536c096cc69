import StoreDiagnostics
import StoreModel

/// Finds what may have been renamed without a word about it: removed here, something alike added.
struct Resemblance {
  let pairing: ModelPairing

  /// The removed entity that an added one resembles most.
  func source(of entity: Entity) -> String? {
    let properties = Self.properties(of: entity)
    let likely = pairing.removedEntities.map { old in
      (old.name, Self.likeness(of: properties, to: Self.properties(of: old)))
    }.filter { name, likeness in
      likeness >= (Self.areAlike(name, entity.name) ? 0.5 : 0.75)
    }
    return likely.max { $0.1 < $1.1 }?.0
  }

  /// The removed attribute that an added one of the target entity resembles most.
  func source(of attribute: Attribute, in entity: String) -> String? {
    guard let pair = pairing.pair(toTarget: entity),
      let old = pairing.source.entity(named: pair.source)
    else { return nil }
    let kept = Set(pair.attributes.values)
    return old.attributes.first {
      !kept.contains($0.name) && $0.type == attribute.type
        && $0.isTransient == attribute.isTransient && Self.areAlike($0.name, attribute.name)
    }?.name
  }

  /// The removed relationship that an added one of the target entity resembles most: it led to the
  /// same rows, and to as many.
  func source(of relationship: Relationship, in entity: String) -> String? {
    guard let pair = pairing.pair(toTarget: entity),
      let old = pairing.source.entity(named: pair.source)
    else { return nil }
    let kept = Set(pair.relationships.values)
    let candidates = old.relationships.filter {
      !kept.contains($0.name) && $0.isToMany == relationship.isToMany
        && relationship.destination.isExactly(destination(of: $0))
    }
    return candidates.first { Self.areAlike($0.name, relationship.name) }?.name
  }

  private func destination(of relationship: Relationship) -> String? {
    pairing.pair(fromSource: relationship.destination)?.target
  }

  /// The share of properties that both have.
  private static func likeness(of a: Set<String>, to b: Set<String>) -> Double {
    let all = a.union(b)
    return all.isEmpty ? 0 : Double(a.intersection(b).count) / Double(all.count)
  }

  private static func properties(of entity: Entity) -> Set<String> {
    Set(entity.attributes.map { "\($0.name): \($0.type.name)" })
      .union(entity.relationships.map { "\($0.name) → \($0.isToMany)" })
  }

  /// One name is in the other, or they are a few letters apart.
  static func areAlike(_ a: String, _ b: String) -> Bool {
    let (a, b) = (a.lowercased(), b.lowercased())
    let (short, long) = a.count <= b.count ? (a, b) : (b, a)
    if short.count >= 4, long.contains(short) { return true }
    return Suggestion.nearest(to: a, among: [b]) != nil || a == b
  }
}
