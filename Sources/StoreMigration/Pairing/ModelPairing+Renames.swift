import StoreDiagnostics
package import StoreModel

/// Something that two versions have under other names, as only versions in between tell.
package struct FollowedRename: Hashable, Sendable {
  /// `Item.title`, or `Item`.
  package var source: String
  package var target: String
  /// The versions whose renaming identifiers tell it, in the order of the names.
  package var over: [String]
}

extension ModelPairing {
  /// What both models tell, completed by renames that are told version by version: `title` became
  /// `name` in one and `label` in the next, which has no word of `title` any more.
  ///
  /// Nothing that the two models tell is changed by it: only what would be lost finds a place, in
  /// what would be new.
  ///
  /// - Parameter versions: others of the bundle, in the order from the source to the target. They are
  ///   asked for only where there is something to find.
  package init(
    from source: Model, to target: Model, over versions: () throws -> [Model]
  ) rethrows {
    self.init(from: source, to: target)
    guard hasLoose else { return }
    var known: [ModelPairing] = []
    for version in try versions() where version.hasRenames {
      var pairing = ModelPairing(from: source, to: version)
      pairing.complete(over: known)
      known.append(pairing)
    }
    complete(over: known)
  }

  /// What is the same from this pairing's source to the next one's target, by way of what lies between.
  func followed(by next: ModelPairing) -> ModelPairing {
    var both = ModelPairing(from: source, to: next.target)
    both.entities = next.entities.compactMap { second in
      guard let first = pair(toTarget: second.source),
        let old = source.entity(named: first.source),
        let new = next.target.entity(named: second.target)
      else { return nil }
      var pair = EntityPair(from: old, in: source, to: new, in: next.target)
      pair.attributes = second.attributes.compactMapValues { first.attributes[$0] }
      pair.relationships = second.relationships.compactMapValues { first.relationships[$0] }
      return pair
    }
    return both
  }

  /// Whether something of the source is left over where something of the target is, too.
  private var hasLoose: Bool {
    if !removedEntities.isEmpty, !addedEntities.isEmpty { return true }
    return entities.contains { pair in
      guard let old = source.entity(named: pair.source), let new = target.entity(named: pair.target)
      else { return false }
      return source.attributes(of: old).count > pair.attributes.count
        && target.attributes(of: new).count > pair.attributes.count
        || source.relationships(of: old).count > pair.relationships.count
          && target.relationships(of: new).count > pair.relationships.count
    }
  }

  /// - Parameter known: of the same source to versions before the target. The last one goes first: it
  ///   already knows what those before it tell.
  private mutating func complete(over known: [ModelPairing]) {
    for first in known.reversed() where hasLoose {
      let second = ModelPairing(from: first.target, to: target)
      for pair in first.followed(by: second).entities {
        complete(pair, second, over: first)
      }
    }
  }

  /// - Parameters:
  ///   - pair: of the source and the target, by way of the stop.
  ///   - second: from the stop to the target.
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

  /// Where the pair of two entities stands; nil where one of them has another counterpart.
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

extension Model {
  /// A version without any identifier tells nothing that its neighbors do not tell each other.
  fileprivate var hasRenames: Bool {
    entities.contains { entity in
      entity.renamingIdentifier != nil
        || entity.attributes.contains { $0.renamingIdentifier != nil }
        || entity.relationships.contains { $0.renamingIdentifier != nil }
    }
  }
}
