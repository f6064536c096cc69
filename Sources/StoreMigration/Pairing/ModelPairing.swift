import StoreDiagnostics
package import StoreModel

/// Which entity and which property of one model has become which of another.
///
/// Equal canonical identifiers pair first, as in Core Data: the renaming identifier (`elementID` in the
/// XML), or the name where there is none. What is left over pairs by a name that either side
/// mentions, so that its values are kept (`mismatches`). Inherited properties take part in the pairing of
/// their sub-entities, so that a property that has moved up or down the hierarchy is the same.
package struct ModelPairing: Hashable, Sendable {
  package let source: Model
  package let target: Model
  /// Entities that both models have, by the target's name.
  package internal(set) var entities: [EntityPair]
  /// What only versions in between tell to be the same.
  package internal(set) var followedRenames: [FollowedRename] = []
}

extension ModelPairing {
  package init(from source: Model, to target: Model) {
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

  /// Entities of the target that have no counterpart, by name.
  package var addedEntities: [Entity] {
    let known = Set(entities.map(\.target))
    return target.entities.filter { !known.contains($0.name) }
  }

  /// Entities of the source that have no counterpart, by name.
  package var removedEntities: [Entity] {
    let known = Set(entities.map(\.source))
    return source.entities.filter { !known.contains($0.name) }
  }
}

/// An entity in two models.
package struct EntityPair: Hashable, Sendable {
  package let source: String
  package let target: String
  /// Own and inherited attributes, stored or not, that both have: the target's name → the source's.
  package internal(set) var attributes: [String: String]
  /// Own and inherited relationships that both have: the target's name → the source's.
  package internal(set) var relationships: [String: String]

  package var isRenamed: Bool { !source.isExactly(target) }
}

extension EntityPair {
  init(from old: Entity, in source: Model, to new: Entity, in target: Model) {
    self.init(
      source: old.name, target: new.name,
      attributes: NameMatch.pairs(
        source.attributes(of: old).map(\.renamable), target.attributes(of: new).map(\.renamable)),
      relationships: NameMatch.pairs(
        source.relationships(of: old).map(\.renamable),
        target.relationships(of: new).map(\.renamable)))
  }
}
