import StoreDiagnostics
import StoreModel
import StorePredicate

/// Compares two versions of a model, entity by entity.
struct ModelComparison {
  let pairing: ModelPairing
  let resemblance: Resemblance

  var source: DataModel { pairing.source }
  var target: DataModel { pairing.target }

  init(_ pairing: ModelPairing) {
    self.pairing = pairing
    resemblance = Resemblance(pairing: pairing)
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

  private func changes(from old: EntityDescription, to new: EntityDescription, _ pair: EntityPair)
    -> [ModelChange]
  {
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

  /// Returns the changes of parts of a model that are identified by name, each with the part's name.
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
    of old: ConfigurationDescription?, to new: ConfigurationDescription?
  ) -> ConfigurationChange? {
    guard let new else { return .removed }
    guard let old else { return .added(members: new.entities) }
    let kept = old.entities.map { pairing.pair(fromSource: $0)?.target ?? $0 }.exact
    let added = new.entities.exact.subtracting(kept).map(\.text).sorted()
    let removed = kept.subtracting(new.entities.exact).map(\.text).sorted()
    return added.isEmpty && removed.isEmpty ? nil : .members(added: added, removed: removed)
  }
}

extension FetchedProperty {
  func aspects(changedTo new: FetchedProperty) -> [String] {
    request.aspects(changedTo: new.request)
      + (userInfo.keys(changedTo: new.userInfo).isEmpty ? [] : ["user info"])
  }
}

extension FetchRequestTemplate {
  func aspects(changedTo new: FetchRequestTemplate) -> [String] {
    let checks: [(String, Bool)] = [
      ("entity", entity.isExactly(new.entity)),
      ("predicate", (predicateText?.text).isExactly(new.predicateText?.text)),
      ("limit", limit == new.limit), ("batch size", batchSize == new.batchSize),
      ("result type", resultType == new.resultType),
      ("subentities", includesSubentities == new.includesSubentities),
      ("property values", includesPropertyValues == new.includesPropertyValues),
      ("faults", returnsObjectsAsFaults == new.returnsObjectsAsFaults),
      ("distinct results", returnsDistinctResults == new.returnsDistinctResults),
      ("pending changes", includesPendingChanges == new.includesPendingChanges),
    ]
    return checks.filter { !$0.1 }.map(\.0)
  }
}

extension CompositeDescription {
  func aspects(changedTo new: CompositeDescription) -> [String] {
    let names = (attributes + new.attributes).map(\.name).exact.map(\.text).sorted()
    return names.filter { name in
      let old = attributes.first { $0.name.isExactly(name) }
      let new = new.attributes.first { $0.name.isExactly(name) }
      guard let old, let new else { return true }
      return !old.isExactly(new)
    }
  }
}

extension ModelComparison {
  /// Returns the changes of the entity itself, its indexes and its constraints.
  func entityChanges(from old: EntityDescription, to new: EntityDescription) -> [ModelChange] {
    var changes: [(EntityChange, ModelChange.Effect)] = []
    if !old.name.isExactly(new.name) {
      changes.append((.renamed(from: old.name), .hash))
    } else if let change = Replacement(old.renamingIdentifier, new.renamingIdentifier) {
      changes.append((.renamingIdentifier(change), .none))
    }
    if let change = Replacement(old.renamable.canonical, new.renamable.canonical) {
      changes.append((.identifierMismatch(change), .none))
    }
    let parent = old.parent.map { pairing.pair(fromSource: $0)?.target ?? $0 }
    if !parent.isExactly(new.parent), let change = Replacement(old.parent, new.parent) {
      changes.append((.parent(change), .hash))
    }
    if old.isAbstract != new.isAbstract { changes.append((.isAbstract(new.isAbstract), .hash)) }
    if let change = Replacement(old.versionHashModifier, new.versionHashModifier) {
      changes.append((.hashModifier(change), .hash))
    }
    changes += indexChanges(from: old, to: new).map { ($0, .schema) }
    changes += constraintChanges(from: old, to: new).map { ($0, .hash) }
    if let change = Replacement(old.className, new.className) {
      changes.append((.className(change), .none))
    }
    if let change = Replacement(old.codeGeneration, new.codeGeneration) {
      changes.append((.codeGeneration(change), .none))
    }
    let keys = old.userInfo.keys(changedTo: new.userInfo)
    if !keys.isEmpty { changes.append((.userInfo(keys: keys), .none)) }
    return changes.map { .init(.entity(new.name, $0), $1) }
  }

  /// Returns the changes of indexes. A fetch index is identified by its name, and a compound index, which has no name,
  /// by its properties.
  private func indexChanges(from old: EntityDescription, to new: EntityDescription)
    -> [EntityChange]
  {
    func contains(_ indexes: [FetchIndex], _ index: FetchIndex) -> Bool {
      indexes.contains { $0.isExactly(index) }
    }
    var removed = old.indexes.filter { !contains(new.indexes, $0) }
    var changes: [EntityChange] = []
    for index in new.indexes where !contains(old.indexes, index) {
      let position = removed.firstIndex {
        !$0.name.isEmpty && $0.name.isExactly(index.name) && $0.origin == index.origin
      }
      if let position, let change = Replacement(removed.remove(at: position), index) {
        changes.append(.index(change))
      } else {
        changes.append(.indexAdded(index))
      }
    }
    return removed.map(EntityChange.indexRemoved) + changes
  }

  private func constraintChanges(from old: EntityDescription, to new: EntityDescription)
    -> [EntityChange]
  {
    func contains(_ constraints: [[String]], _ constraint: [String]) -> Bool {
      constraints.contains { $0.isExactly(constraint) }
    }
    let (before, after) = (old.uniquenessConstraints, new.uniquenessConstraints)
    return before.filter { !contains(after, $0) }.map(EntityChange.constraintRemoved)
      + after.filter { !contains(before, $0) }.map(EntityChange.constraintAdded)
  }
}

extension [String: String] {
  /// Returns the keys that were added or removed, or whose values changed.
  func keys(changedTo new: Self) -> [String] {
    let (old, new) = (ExactDictionary(self), ExactDictionary(new))
    return (old.keys + new.keys).exact.map(\.text).filter { !old[$0].isExactly(new[$0]) }.sorted()
  }
}
