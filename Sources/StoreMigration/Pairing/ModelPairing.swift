import StoreDiagnostics
package import StoreModel

/// A pairing: the pairs of corresponding entities and properties of two models.
///
/// As in Core Data, entities or properties with equal canonical identifiers are paired first. A canonical identifier is
/// the renaming identifier (`elementID` in the XML), or the name if the renaming identifier is missing. The remaining
/// entities and properties are paired if the name or identifier of one is equal to the name or identifier of the other,
/// so that their values are kept (`mismatches`). Sub-entities also pair their inherited properties, so that a property
/// stays the same if it moves to a parent or a sub-entity.
package struct ModelPairing: Hashable, Sendable {
  package let source: DataModel
  package let target: DataModel
  /// The pairs of entities in the order of the target's entities, then the pairs that only other versions declare.
  package internal(set) var entities: [EntityPair]
  /// The renames that only other versions declare.
  package internal(set) var followedRenames: [FollowedRename] = []
}

extension ModelPairing {
  package init(from source: DataModel, to target: DataModel) {
    let matches = NameMatch.pairs(
      source.entities.map(\.renamable), target.entities.map(\.renamable))
    let entities = target.entities.compactMap { new in
      matches[new.name].flatMap { source.entity(named: $0) }
        .map { EntityPair(from: $0, in: source, to: new, in: target) }
    }
    self.init(source: source, target: target, entities: entities)
  }

  package func pair(toTarget name: String) -> EntityPair? {
    entities.first { $0.target.isExactly(name) }
  }

  package func pair(fromSource name: String) -> EntityPair? {
    entities.first { $0.source.isExactly(name) }
  }

  /// The entities of the target without a counterpart.
  package var addedEntities: [EntityDescription] {
    let known = Set(entities.map(\.target))
    return target.entities.filter { !known.contains($0.name) }
  }

  /// The entities of the source without a counterpart.
  package var removedEntities: [EntityDescription] {
    let known = Set(entities.map(\.source))
    return source.entities.filter { !known.contains($0.name) }
  }
}

/// An entity that two models have, possibly with different names.
package struct EntityPair: Hashable, Sendable {
  package let source: String
  package let target: String
  /// The common attributes, own or inherited, stored or transient: the name in the source, by the name in the target.
  package internal(set) var attributes: [String: String]
  /// The common relationships, own or inherited: the name in the source, by the name in the target.
  package internal(set) var relationships: [String: String]

  package var isRenamed: Bool { !source.isExactly(target) }
}

extension EntityPair {
  init(
    from old: EntityDescription, in source: DataModel, to new: EntityDescription,
    in target: DataModel
  ) {
    self.init(
      source: old.name, target: new.name,
      attributes: NameMatch.pairs(
        source.attributes(of: old).map(\.renamable), target.attributes(of: new).map(\.renamable)),
      relationships: NameMatch.pairs(
        source.relationships(of: old).map(\.renamable),
        target.relationships(of: new).map(\.renamable)))
  }
}
