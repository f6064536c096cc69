import StoreDiagnostics
import StoreModel

/// Finds properties and entities that may have been renamed without a renaming identifier: a removed property or entity
/// resembles an added one.
struct Resemblance {
  let pairing: ModelPairing

  /// Returns the removed entity that the added entity resembles most; nil if none is similar enough.
  func source(of entity: EntityDescription) -> String? {
    let properties = Self.properties(of: entity)
    let likely = pairing.removedEntities.map { old in
      (old.name, Self.likeness(of: properties, to: Self.properties(of: old)))
    }.filter { name, likeness in
      likeness >= (Self.areAlike(name, entity.name) ? 0.5 : 0.75)
    }
    return likely.max { $0.1 < $1.1 }?.0
  }

  /// Returns the removed attribute that the added attribute of the target entity resembles.
  func source(of attribute: AttributeDescription, in entity: String) -> String? {
    guard let pair = pairing.pair(toTarget: entity),
      let old = pairing.source.entity(named: pair.source)
    else { return nil }
    let kept = Set(pair.attributes.values)
    return old.attributes.first {
      !kept.contains($0.name) && $0.type == attribute.type
        && $0.isTransient == attribute.isTransient && Self.areAlike($0.name, attribute.name)
    }?.name
  }

  /// Returns the removed relationship that the added relationship of the target entity resembles. Both have the same
  /// destination, and both are to-one or both are to-many.
  func source(of relationship: RelationshipDescription, in entity: String) -> String? {
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

  private func destination(of relationship: RelationshipDescription) -> String? {
    pairing.pair(fromSource: relationship.destination)?.target
  }

  /// Returns the number of common properties, divided by the number of properties in both sets together.
  private static func likeness(of a: Set<String>, to b: Set<String>) -> Double {
    let all = a.union(b)
    return all.isEmpty ? 0 : Double(a.intersection(b).count) / Double(all.count)
  }

  private static func properties(of entity: EntityDescription) -> Set<String> {
    Set(entity.attributes.map { "\($0.name): \($0.type.name)" })
      .union(entity.relationships.map { "\($0.name) → \($0.isToMany)" })
  }

  /// Whether one name contains the other, which must have at least 4 letters, or the names differ in only a few
  /// letters.
  static func areAlike(_ a: String, _ b: String) -> Bool {
    let (a, b) = (a.lowercased(), b.lowercased())
    let (short, long) = a.count <= b.count ? (a, b) : (b, a)
    if short.count >= 4, long.contains(short) { return true }
    return Suggestion.nearest(to: a, among: [b]) != nil || a == b
  }
}
