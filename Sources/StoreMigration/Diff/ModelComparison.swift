import StoreDiagnostics
import StoreModel

/// Compares two versions of a model, entity by entity.
struct ModelComparison {
  let pairing: ModelPairing
  let resemblance: Resemblance

  var source: Model { pairing.source }
  var target: Model { pairing.target }

  init(_ pairing: ModelPairing) {
    self.pairing = pairing
    resemblance = Resemblance(pairing)
  }

  func changes() -> [ModelChange] {
    var byEntity: ExactDictionary<[ModelChange]> = [:]
    for entity in pairing.removedEntities {
      byEntity[entity.name, default: []].append(
        .init(.entity(entity.name, .removed(entity)), .hash))
    }
    for entity in pairing.addedEntities {
      let added = EntityChange.added(entity, resembles: resemblance.source(of: entity))
      byEntity[entity.name, default: []].append(.init(.entity(entity.name, added), .hash))
    }
    for pair in pairing.entities {
      guard let old = source.entity(named: pair.source),
        let new = target.entity(named: pair.target)
      else { continue }
      byEntity[new.name, default: []] += changes(from: old, to: new, pair)
    }
    return byEntity.sorted { $0.key < $1.key }.flatMap(\.value) + modelChanges()
  }

  private func changes(from old: Entity, to new: Entity, _ pair: EntityPair) -> [ModelChange] {
    entityChanges(from: old, to: new)
      + attributeChanges(from: old, to: new, pair)
      + relationshipChanges(from: old, to: new, pair)
      + definitionChanges(
        old.fetchedProperties, new.fetchedProperties, name: \.name,
        aspects: { $0.aspects(changedTo: $1) }
      ).map { name, change in .init(.fetchedProperty(name, of: new.name, change), .none) }
  }

  private func modelChanges() -> [ModelChange] {
    var changes = definitionChanges(
      source.composites, target.composites, name: \.name, aspects: { $0.aspects(changedTo: $1) }
    ).map { name, change in ModelChange(.composite(name, change), .schema) }
    changes += definitionChanges(
      source.templates, target.templates, name: \.name, aspects: { $0.aspects(changedTo: $1) }
    ).map { name, change in .init(.template(name, change), .none) }
    changes += configurationChanges()
    if let change = Replacement(source.versionIdentifiers, target.versionIdentifiers) {
      changes.append(.init(.versionIdentifiers(change), .none))
    }
    return changes
  }

  /// Of things that are the same where their names are.
  private func definitionChanges<Thing>(
    _ old: [Thing], _ new: [Thing], name: (Thing) -> String,
    aspects: (Thing, Thing) -> [String]
  ) -> [(String, DefinitionChange)] {
    let removed = old.filter { thing in !new.contains { name($0).isExactly(name(thing)) } }
    let kept = new.compactMap { thing -> (String, DefinitionChange)? in
      guard let before = old.first(where: { name($0).isExactly(name(thing)) }) else {
        return (name(thing), .added)
      }
      let changed = aspects(before, thing)
      return changed.isEmpty ? nil : (name(thing), .changed(aspects: changed))
    }
    return (removed.map { (name($0), .removed) } + kept).sorted { $0.0 < $1.0 }
  }

  private func configurationChanges() -> [ModelChange] {
    let names = (source.configurations + target.configurations).map(\.name).exact.map(\.text)
    return names.sorted(by: NaturalOrder.isLess).compactMap { name in
      let old = source.configurations.first { $0.name.isExactly(name) }
      let new = target.configurations.first { $0.name.isExactly(name) }
      guard let change = change(of: old, to: new) else { return nil }
      return .init(.configuration(name, change), .none)
    }
  }

  private func change(
    of old: Configuration?, to new: Configuration?
  ) -> ConfigurationChange? {
    guard let new else { return .removed }
    guard let old else { return .added(members: new.entities) }
    let kept = old.entities.map { pairing.pair(fromSource: $0)?.target ?? $0 }.exact
    let added = new.entities.exact.subtracting(kept).map(\.text).sorted()
    let removed = kept.subtracting(new.entities.exact).map(\.text).sorted()
    return added.isEmpty && removed.isEmpty ? nil : .members(added: added, removed: removed)
  }
}
