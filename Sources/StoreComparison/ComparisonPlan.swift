import StoreDiagnostics
package import StoreLayout
import StoreModel

/// What of two stores is compared, and how. Made of their layouts alone.
package struct ComparisonPlan: Sendable {
  /// In the order of the newer store.
  package private(set) var entities: [ComparedEntity] = []
  package var leftOut: [LeftOut] = []
  package let old: StoreLayout
  package let new: StoreLayout
  /// How the rows of each entity are matched, also of those that are only partners; none where nothing tells them apart.
  private var matchings: ExactDictionary<RowMatching> = [:]

  /// What to compare; nothing means all.
  package struct Choice: Hashable, Sendable {
    /// Entities, each with those below it.
    package var entities: [String]
    /// `name` for every entity that has such a property, or `Entity.name`.
    package var ignored: [String]

    package init(entities: [String] = [], ignored: [String] = []) {
      self.entities = entities
      self.ignored = ignored
    }
  }

  /// - Throws: `ComparisonError` for what a store does not have, and for an entity whose rows nothing tells apart.
  package init(
    _ old: StoreLayout, _ new: StoreLayout, by rules: MatchingRules, of choice: Choice = Choice()
  ) throws(ComparisonError) {
    self.old = old
    self.new = new
    let chosen = try chosenEntities(choice.entities)
    let ignored = try IgnoredProperties(choice.ignored, in: [old, new])
    let keys = try EntityKeys(rules, old: old, new: new)
    let shared = new.entities.compactMap { place in
      place.isAbstract ? nil : old.concreteEntity(named: place.name).map { (old: $0, new: place) }
    }
    for (_, place) in shared {
      matchings[place.name] = keys.matching(of: place.name)
      guard matchings[place.name] != nil || !chosen.contains(ExactText(place.name)) else {
        throw .noKey(entity: place.name)
      }
    }
    for (other, place) in shared where chosen.contains(ExactText(place.name)) {
      let properties = properties(of: other, place).filter { !ignored.contains($0.name, of: place) }
      entities.append(
        ComparedEntity(
          name: place.name, matching: matching(of: place.name) ?? .objectID,
          properties: properties, old: other, new: place))
    }
    for entity in old.entities where !entity.isAbstract && chosen.contains(ExactText(entity.name)) {
      guard new.concreteEntity(named: entity.name) == nil else { continue }
      leftOut.append(LeftOut(entity: entity.name, reason: .onlyInOld))
    }
    for entity in new.entities where !entity.isAbstract && chosen.contains(ExactText(entity.name)) {
      guard old.concreteEntity(named: entity.name) == nil else { continue }
      leftOut.append(LeftOut(entity: entity.name, reason: .onlyInNew))
    }
    leftOut.removeAll { left in
      left.property.map { ignored.contains($0, named: left.entity) } ?? false
    }
  }

  /// How rows of an entity are matched, by object ID where one of the stores lacks it; nil where nothing tells them apart.
  func matching(of name: String) -> RowMatching? {
    let isShared = old.concreteEntity(named: name) != nil && new.concreteEntity(named: name) != nil
    return isShared ? matchings[name] : .objectID
  }

  private func chosenEntities(_ names: [String]) throws(ComparisonError) -> Set<ExactText> {
    guard !names.isEmpty else { return (old.entities + new.entities).map(\.name).exact }
    var chosen: Set<ExactText> = []
    for name in names {
      let found = [old, new].flatMap { layout in
        layout.model.entity(named: name).map { layout.model.subtree(of: $0) } ?? []
      }
      guard !found.isEmpty else {
        throw .unknownEntity(name, known: (old.entities + new.entities).map(\.name))
      }
      chosen.formUnion(found.map(\.name).exact)
    }
    return chosen
  }

  /// Those that both have and that can be equal; notes the others.
  private mutating func properties(
    of old: EntityLayout, _ new: EntityLayout
  ) -> [ComparedProperty] {
    func leave(_ name: String, _ reason: LeftOut.Reason) {
      leftOut.append(LeftOut(entity: new.name, property: name, reason: reason))
    }
    let sides = (ExactDictionary(old.storedProperties), ExactDictionary(new.storedProperties))
    for name in sides.0.keys.sorted() where sides.1[name] == nil { leave(name, .onlyInOld) }
    var found: [ComparedProperty] = []
    for (name, property) in sides.1.sorted(by: { $0.key < $1.key }) {
      guard let other = sides.0[name] else {
        leave(name, .onlyInNew)
        continue
      }
      guard other.isComparable(to: property) else {
        leave(name, .otherwise(old: other.description, new: property.description))
        continue
      }
      if let partner = property.destination.flatMap(entityWithoutKey) {
        leave(name, .noKey(of: partner))
        continue
      }
      found.append(ComparedProperty(name: name, kind: property.kind))
    }
    return ComparedProperty.Kind.inOrder.flatMap { kind in found.filter { $0.kind == kind } }
  }

  /// The first of an entity and those below it whose rows nothing tells apart.
  private func entityWithoutKey(below name: String) -> String? {
    let members = [old, new].flatMap { layout in
      (layout.entity(named: name)?.subtree ?? []).compactMap { layout.entity(numbered: $0) }
    }
    return members.first { !$0.isAbstract && matching(of: $0.name) == nil }?.name
  }
}

extension ComparedProperty.Kind {
  fileprivate static let inOrder: [Self] = [.attribute, .toOne, .toMany]
}

extension StoreLayout {
  /// - Parameter name: compared byte by byte: it may be one of the other store.
  func concreteEntity(named name: String) -> EntityLayout? {
    entities.first { $0.name.isExactly(name) && !$0.isAbstract }
  }
}
