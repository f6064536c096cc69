import StoreDiagnostics
import StoreModel

/// A rename between two versions that neither of them declares, but other versions do.
package struct FollowedRename: Hashable, Sendable {
  /// The name of the entity or property in the source, such as `Item` or `Item.title`.
  package var source: String
  /// The name in the target.
  package var target: String
  /// The names of the versions whose renaming identifiers connect the two names, in the order of the steps.
  package var over: [String]
}

extension ModelPairing {
  /// Pairs two models, and completes the pairing with renames that other versions declare. For example, `title` was
  /// renamed to `name` in one version and to `label` in the next version, which doesn't mention `title`.
  ///
  /// The other versions don't change pairs of the two models. They only connect removed entities and properties with
  /// added entities and properties.
  ///
  /// - Parameter passage: returns the renames of the versions. It is called only if both models have unpaired parts.
  init(
    from source: DataModel, to target: DataModel, over passage: () throws -> RenameHistory.Passage
  ) rethrows {
    self.init(from: source, to: target)
    guard hasLoose else { return }
    let passage = try passage()
    var known: [ModelPairing] = []
    for stop in passage.stops {
      var pairing = ModelPairing(from: passage.source, to: stop)
      pairing.complete(over: known, to: stop)
      known.append(pairing)
    }
    complete(over: known, to: passage.target)
  }

  /// Returns the pairing from this source to the target of the next pairing, through the model between them.
  func followed(by next: ModelPairing) -> ModelPairing {
    let pairs = next.entities.compactMap { second in
      pair(toTarget: second.source).map { first in
        EntityPair(
          source: first.source, target: second.target,
          attributes: second.attributes.compactMapValues { first.attributes[$0] },
          relationships: second.relationships.compactMapValues { first.relationships[$0] })
      }
    }
    return ModelPairing(source: source, target: next.target, entities: pairs)
  }

  /// Whether both the source and the target have unpaired parts of the same kind.
  private var hasLoose: Bool {
    if !removedEntities.isEmpty, !addedEntities.isEmpty { return true }
    return entities.contains { pair in
      guard let old = source.entity(named: pair.source), let new = target.entity(named: pair.target)
      else { return false }
      return source.count(\.attributes, of: old) > pair.attributes.count
        && target.count(\.attributes, of: new) > pair.attributes.count
        || source.count(\.relationships, of: old) > pair.relationships.count
          && target.count(\.relationships, of: new) > pair.relationships.count
    }
  }

  /// Adds pairs that connect removed and added parts through other versions.
  ///
  /// - Parameters:
  ///   - known: pairings of this source with other versions. The last pairing is used first, because it includes the
  ///     renames of the previous pairings.
  ///   - end: the renamed parts of the target.
  private mutating func complete(over known: [ModelPairing], to end: DataModel) {
    for first in known.reversed() where hasLoose {
      let second = ModelPairing(from: first.target, to: end)
      for pair in first.followed(by: second).entities {
        complete(pair, second, over: first)
      }
    }
  }

  /// Adds a pair and the pairs of its properties, as far as they are missing.
  ///
  /// - Parameters:
  ///   - pair: a pair of the source and the target, which another version connects.
  ///   - second: the pairing from that version to the target.
  ///   - stop: the pairing from the source to that version.
  private mutating func complete(
    _ pair: EntityPair, _ second: ModelPairing, over stop: ModelPairing
  ) {
    let (old, new, count) = (pair.source, pair.target, entities.count)
    guard let index = place(from: old, to: new), let there = second.pair(toTarget: new) else {
      return
    }
    if index == count { note(old, new, by: there.source, over: stop) }
    func missing(_ kept: [String: String], _ told: [String: String]) -> [String: String] {
      let taken = Set(kept.values)
      return told.filter { kept[$0.key] == nil && !taken.contains($0.value) }
    }
    let attributes = missing(entities[index].attributes, pair.attributes)
    let relationships = missing(entities[index].relationships, pair.relationships)
    entities[index].attributes.merge(attributes) { kept, _ in kept }
    entities[index].relationships.merge(relationships) { kept, _ in kept }
    let owns = target.entity(named: new)
    for (name, source) in attributes.merging(relationships, uniquingKeysWith: { one, _ in one })
      .sorted(by: { $0.key < $1.key }) where owns?.property(named: name) != nil
    {
      let middle = there.attributes[name] ?? there.relationships[name] ?? name
      note("\(old).\(source)", "\(new).\(name)", by: "\(there.source).\(middle)", over: stop)
    }
  }

  /// Returns the index of the pair of two entities. Adds the pair if necessary. Returns nil if one of the entities is
  /// paired with another entity.
  private mutating func place(from old: String, to new: String) -> Int? {
    if let index = entities.firstIndex(where: { $0.target.isExactly(new) }) {
      return entities[index].source.isExactly(old) ? index : nil
    }
    guard pair(fromSource: old) == nil, let source = source.entity(named: old),
      let target = target.entity(named: new)
    else { return nil }
    entities.append(EntityPair(from: source, in: self.source, to: target, in: self.target))
    return entities.count - 1
  }

  private mutating func note(
    _ old: String, _ new: String, by middle: String, over stop: ModelPairing
  ) {
    func isKnown(_ rename: FollowedRename, as target: String) -> Bool {
      rename.source.isExactly(old) && rename.target.isExactly(target)
    }
    guard !followedRenames.contains(where: { isKnown($0, as: new) }) else { return }
    let before = stop.followedRenames.first { isKnown($0, as: middle) }
    followedRenames.append(
      FollowedRename(source: old, target: new, over: (before?.over ?? []) + [stop.target.name]))
  }
}

extension DataModel {
  /// Returns the number of an entity's own and inherited properties of one kind.
  fileprivate func count<Kind>(
    _ properties: KeyPath<EntityDescription, [Kind]>, of entity: EntityDescription
  ) -> Int {
    ancestors(of: entity).reduce(entity[keyPath: properties].count) {
      $0 + $1[keyPath: properties].count
    }
  }
}
