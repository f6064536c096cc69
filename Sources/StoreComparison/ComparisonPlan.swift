import StoreDiagnostics
package import StoreLayout
import StoreModel

/// Specifies which parts of two stores are compared, and how. A plan depends only on the layouts of the stores, not on
/// their rows.
package struct ComparisonPlan: Sendable {
  /// The compared entities, in the order of the newer store.
  package private(set) var entities: [ComparedEntity] = []
  /// The entities and properties that aren't compared.
  package var omitted: [OmittedPart] = []
  package let old: StoreLayout
  package let new: StoreLayout
  /// The matching of the entities that both stores have, by the entity's name. It includes entities that aren't
  /// compared, because they can be destinations of relationships. Entities that require a key but have none are
  /// missing.
  private var matchings: ExactDictionary<RowMatching> = [:]

  /// The parts to compare. Empty arrays select everything.
  package struct Choice: Hashable, Sendable {
    /// The names of the entities to compare, including their sub-entities.
    package var entities: [String]
    /// The properties to ignore: `Entity.name`, or `name` in all entities.
    package var ignored: [String]

    package init(entities: [String] = [], ignored: [String] = []) {
      self.entities = entities
      self.ignored = ignored
    }
  }

  /// - Throws: `ComparisonError` if an entity or property doesn't exist, or if a key is missing or invalid.
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
      let properties = properties(of: other, place)
        .filter { !ignored.contains($0.name, named: place.name) }
      entities.append(
        ComparedEntity(
          name: place.name, matching: matching(of: place.name) ?? .objectID,
          properties: properties, old: other, new: place))
    }
    for (layout, other, reason) in [
      (old, new, OmittedPart.Reason.onlyInOld), (new, old, .onlyInNew),
    ] {
      let missing = layout.entities.filter {
        !$0.isAbstract && other.concreteEntity(named: $0.name) == nil
      }
      omitted += missing.filter { chosen.contains(ExactText($0.name)) }
        .map { OmittedPart(entity: $0.name, reason: reason) }
    }
    omitted.removeAll { left in
      left.property.map { ignored.contains($0, named: left.entity) } ?? false
    }
  }

  /// Returns the matching of an entity: by object ID if one of the stores lacks the entity, and nil if the entity
  /// requires a key but has none.
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

  /// Returns the properties that both stores have and whose values can be compared. Adds all other properties to
  /// `omitted`.
  private mutating func properties(
    of old: EntityLayout, _ new: EntityLayout
  ) -> [ComparedProperty] {
    func leave(_ name: String, _ reason: OmittedPart.Reason) {
      omitted.append(OmittedPart(entity: new.name, property: name, reason: reason))
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
    return ComparedProperty.Kind.allCases.flatMap { kind in found.filter { $0.kind == kind } }
  }

  /// Returns the name of the first entity that requires a key but has none, among the entity and its sub-entities in
  /// both stores.
  private func entityWithoutKey(below name: String) -> String? {
    [old, new].flatMap { $0.concreteEntities(below: name) }
      .first { matching(of: $0.name) == nil }?.name
  }
}

extension StoreLayout {
  /// Returns the entity whose name has the same bytes as `name`, or nil if it doesn't exist or is abstract.
  func concreteEntity(named name: String) -> EntityLayout? {
    guard let found = entity(named: name), found.name.isExactly(name), !found.isAbstract else {
      return nil
    }
    return found
  }

  /// Returns the entity and its sub-entities, without abstract entities.
  func concreteEntities(below name: String) -> [EntityLayout] {
    (entity(named: name)?.subtree ?? []).compactMap(entity(numbered:)).filter { !$0.isAbstract }
  }
}

struct IgnoredProperties {
  /// The names of the ignored properties, by the entity's name. The key nil contains the properties that are ignored in
  /// all entities.
  private var names: [String?: Set<String>] = [:]
  private let models: [DataModel]

  /// - Throws: `ComparisonError.unknownProperty` or `.unknownEntity` if neither store has the property or entity.
  init(_ texts: [String], in layouts: [StoreLayout]) throws(ComparisonError) {
    models = layouts.map(\.model)
    let known = layouts.flatMap(\.entities)
    let all = Set(known.flatMap(\.storedProperties.keys))
    for text in texts {
      // A dot doesn't always follow an entity's name: the name of a composite's element also contains a dot.
      if all.contains(where: { Self.covers(text, $0) }) {
        names[nil, default: []].insert(text)
        continue
      }
      let parts = text.split(separator: ".", maxSplits: 1).map(String.init)
      guard parts.count == 2 else {
        throw .unknownProperty(text, entity: nil, known: all.sorted())
      }
      let places = known.filter { $0.name.isExactly(parts[0]) }
      guard !places.isEmpty else { throw .unknownEntity(parts[0], known: known.map(\.name)) }
      let properties = Set(places.flatMap(\.storedProperties.keys))
      guard properties.contains(where: { Self.covers(parts[1], $0) }) else {
        throw .unknownProperty(parts[1], entity: parts[0], known: properties.sorted())
      }
      names[parts[0], default: []].insert(parts[1])
    }
  }

  /// Whether the property is ignored in the entity or in one of its ancestors.
  func contains(_ property: String, named entity: String) -> Bool {
    let owners: [String] = models.flatMap { model in
      model.entity(named: entity).map { [$0] + model.ancestors(of: $0) }?.map(\.name) ?? []
    }
    let ignored = (names[nil] ?? []).union(owners.flatMap { names[$0] ?? [] })
    return ignored.contains { Self.covers($0, property) }
  }

  /// Whether `name` is the property, or a composite that contains it: `place` contains `place.street`.
  private static func covers(_ name: String, _ property: String) -> Bool {
    name == property || property.hasPrefix("\(name).")
  }
}

/// Determines the attributes by which the rows of an entity are matched.
struct EntityKeys {
  private let rules: MatchingRules
  private let old: StoreLayout
  private let new: StoreLayout

  /// - Throws: `ComparisonError` if a key contains an unknown entity or attribute, or isn't valid.
  init(_ rules: MatchingRules, old: StoreLayout, new: StoreLayout) throws(ComparisonError) {
    self.rules = rules
    self.old = old
    self.new = new
    var named: Set<String> = []
    for key in rules.keys {
      guard named.insert(key.entity).inserted else { throw .repeatedKey(key.entity) }
      for layout in [old, new] { try Self.check(key, in: layout) }
      for attribute in key.attributes
      where type(of: attribute, key, old) != type(of: attribute, key, new) {
        throw .keyChangedType(attribute, entity: key.entity)
      }
    }
  }

  private static func check(_ key: EntityKey, in layout: StoreLayout) throws(ComparisonError) {
    guard let entity = layout.entity(named: key.entity) else {
      throw .unknownEntity(key.entity, known: layout.entities.map(\.name))
    }
    for attribute in key.attributes where entity.attributes[attribute] == nil {
      let isRelationship = entity.toOne[attribute] != nil || entity.toMany[attribute] != nil
      guard !isRelationship else { throw .keyOfRelationship(attribute, entity: key.entity) }
      throw .unknownKey(
        attribute, entity: key.entity, known: entity.attributes.keys.sorted())
    }
  }

  private func type(
    of attribute: String, _ key: EntityKey, _ layout: StoreLayout
  ) -> AttributeType? {
    layout.entity(named: key.entity)?.attributes[attribute]?.type
  }

  /// Returns the key that the rules specify for the entity or its nearest ancestor, otherwise the result of
  /// `rules.rest`. Returns nil if this requires a uniqueness constraint and the entity has none that can be a key.
  func matching(of name: String) -> RowMatching? {
    guard let entity = new.model.entity(named: name) else { return .objectID }
    let owners = [entity] + new.model.ancestors(of: entity)
    for owner in owners {
      if let key = rules.keys.first(where: { $0.entity.isExactly(owner.name) }) {
        return .key(key.attributes)
      }
    }
    guard rules.rest == .uniqueKey else { return .objectID }
    let constraints = owners.flatMap(\.uniquenessConstraints)
    return constraints.first { isKey($0, of: name) }.map { .key($0) }
  }

  /// Whether a constraint consists of attributes that both stores have with the same types.
  private func isKey(_ attributes: [String], of entity: String) -> Bool {
    let sides = (old.concreteEntity(named: entity), new.concreteEntity(named: entity))
    return attributes.allSatisfy { name in
      let type = sides.1?.attributes[name]?.type
      return type != nil && sides.0?.attributes[name]?.type == type
    }
  }
}
