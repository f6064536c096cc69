import StoreLayout
import StoreModel
import StorePredicate

extension ModelMapping {
  /// The errors that every row of an entity, or every row with a value, would cause. They are found without a store.
  /// The planner finds errors that depend on the rows.
  package var obstacles: [MappingError] {
    entities.flatMap { mapping -> [MappingError] in
      guard let new = target.entity(named: mapping.target) else { return [] }
      if new.isAbstract { return [.abstractEntity(new.name)] }
      let known = source.entity(named: mapping.source).map { source.storedAttributes(of: $0) } ?? []
      let ofAttributes = target.storedAttributes(of: new).compactMap { attribute in
        obstacle(to: attribute, of: new, from: known, mapping.attributes[attribute.name])
      }
      let ofRelationships = requiredToOnes(of: new).compactMap { relationship in
        leads(relationship, mapping, .none) == .nowhere ? missing(relationship, mapping) : nil
      }
      return ofAttributes + ofRelationships
    }
  }

  /// The errors that some rows may cause: NULL in a required property, or a shared destination in a one-to-one
  /// relationship. An attribute's expression is assumed to return a value, because the models don't determine whether
  /// it returns NULL.
  package var risks: [MappingError] { risks(knowing: FilledProperties(of: source)) }

  /// Returns the errors that some rows may cause, as described for the property `risks`.
  ///
  /// - Parameter filled: the properties that have a value in each row of the source.
  func risks(knowing filled: FilledProperties) -> [MappingError] {
    let ofAttributes = entities.flatMap { mapping -> [MappingError] in
      guard let new = target.entity(named: mapping.target), !new.isAbstract else { return [] }
      return missingValues(of: new, mapping, filled)
    }
    let required = entities.filter { !filled.hasNoRows($0.source) }.flatMap { mapping in
      (target.entity(named: mapping.target).map(requiredToOnes) ?? []).compactMap { relationship in
        leads(relationship, mapping, filled) == .perhaps ? missing(relationship, mapping) : nil
      }
    }
    return ofAttributes + required + sharedDestinations
  }

  /// Returns errors for required attributes that may be NULL.
  private func missingValues(
    of entity: EntityDescription, _ mapping: EntityMapping, _ filled: FilledProperties
  ) -> [MappingError] {
    let known = source.entity(named: mapping.source).map { source.storedAttributes(of: $0) } ?? []
    let names = Set(known.map(\.name))
    return target.storedAttributes(of: entity).compactMap { new in
      guard let origin = mapping.attributes[new.name], case .attribute(let name) = origin.source,
        names.contains(name), !filled.contains(name, of: mapping.source),
        !new.isOptional, new.derivation == nil, origin.fallback == nil
      else { return nil }
      return .missingValue(
        entity: entity.name, attribute: new.name, type: new.type, sourceAttribute: name)
    }
  }

  private func obstacle(
    to new: AttributeDescription, of entity: EntityDescription, from known: [AttributeDescription],
    _ origin: AttributeOrigin?
  ) -> MappingError? {
    switch origin?.source {
    case nil, .nothing:
      guard new.lacksValue, origin?.fallback == nil else { return nil }
      return .missingValue(
        entity: entity.name, attribute: new.name, type: new.type, sourceAttribute: nil)
    case .attribute(let name):
      guard let old = known.first(where: { $0.name == name }), new.derivation == nil,
        Conversion(from: old.type, to: new.type) == nil
      else { return nil }
      return .typeChange(entity: entity.name, attribute: new.name, from: old.type, to: new.type)
    case .expression: return nil
    }
  }

  /// Returns the target properties that have a value in each row after the mapping. Expressions and
  /// predicates of a definition count as values, because the models don't determine whether they return NULL.
  func filled(from filled: FilledProperties) -> FilledProperties {
    let transfers = Dictionary(grouping: entities, by: \.target)
    var found = FilledProperties.none
    // SQL and a custom step can insert rows.
    if definition.map({ !$0.hasStatements && $0.step == nil }) ?? true {
      for name in target.entities.map(\.name) {
        let sources = transfers[name, default: []].map(\.source)
        if sources.allSatisfy({ filled.hasNoRows($0) }) { found.setHasNoRows(name) }
      }
    }
    for (name, transfers) in transfers {
      guard let entity = target.entity(named: name) else { continue }
      for attribute in target.storedAttributes(of: entity) {
        let isFilled = transfers.allSatisfy { transfer in
          guard let origin = transfer.attributes[attribute.name] else { return false }
          if let fallback = origin.fallback, fallback != .null { return true }
          return switch origin.source {
          case .nothing: false
          case .attribute(let old): filled.contains(old, of: transfer.source)
          case .expression: true
          }
        }
        if isFilled { found.insert(attribute.name, of: name) }
      }
      for relationship in target.relationships(of: entity) where !relationship.isToMany {
        let isFilled = transfers.allSatisfy { transfer in
          switch transfer.relationships[relationship.name] {
          case nil, .nothing: false
          case .relationship: leads(relationship, transfer, filled) == .somewhere
          case .path, .matching: true
          }
        }
        if isFilled { found.insert(relationship.name, of: name) }
      }
    }
    return found
  }

  // MARK: Relationships

  /// Whether rows have a destination for a relationship.
  private enum Lead {
    /// No row has a destination.
    case nowhere
    /// Every row has a destination.
    case somewhere
    /// It depends on the row.
    case perhaps
  }

  private func requiredToOnes(of entity: EntityDescription) -> [RelationshipDescription] {
    target.relationships(of: entity).filter {
      !$0.isOptional && !$0.isTransient && !$0.isToMany
    }
  }

  /// Whether rows have a destination for a relationship of the target.
  private func leads(
    _ relationship: RelationshipDescription, _ mapping: EntityMapping, _ filled: FilledProperties
  ) -> Lead {
    switch mapping.relationships[relationship.name] ?? .nothing {
    case .path, .matching: return .perhaps
    case .nothing: return isToldByInverse(relationship) ? .perhaps : .nowhere
    case .relationship(let name):
      guard let old = source.relationship(name, of: mapping.source),
        let destination = source.entity(named: old.destination)
      else { return .nowhere }
      let members = source.subtree(of: destination).filter { !$0.isAbstract }.map(\.name)
      let arriving = mappings(into: relationship.destination)
      let coming = members.filter { member in arriving.contains { $0.source == member } }
      if coming.isEmpty { return .nowhere }
      let areAll =
        coming.count == members.count
        && arriving.allSatisfy { !members.contains($0.source) || $0.filter == nil }
      let isFilled = !old.isToMany && filled.contains(name, of: mapping.source)
      return areAll && isFilled ? .somewhere : .perhaps
    }
  }

  private func mappings(into name: String) -> [EntityMapping] {
    guard let entity = target.entity(named: name) else { return [] }
    return entities.filter { mapping in
      target.entity(named: mapping.target).map { target.isKind($0, of: entity) } ?? false
    }
  }

  private func isToldByInverse(_ relationship: RelationshipDescription) -> Bool {
    guard let inverse = target.inverse(of: relationship)?.0 else { return false }
    return mappings(into: relationship.destination).contains { mapping in
      (mapping.relationships[inverse.name] ?? .nothing) != .nothing
    }
  }

  private func missing(_ relationship: RelationshipDescription, _ mapping: EntityMapping)
    -> MappingError
  {
    .missingDestination(
      entity: mapping.target, relationship: relationship.name, sourceEntity: mapping.source,
      sourceRelationship: mapping.relationships[relationship.name]?.relationship)
  }

  /// The errors for shared destinations that the planner would check for if the store had the layout of a new store.
  private var sharedDestinations: [MappingError] {
    guard target.hasOneToOnes else { return [] }
    let (old, new) = (StoreLayout(model: source), StoreLayout(model: target))
    let keys = KeyMap(
      transfers: EntityTransfers(self, from: old, to: new), source: old, target: new)
    return keys.oneToOnes.filter(\.mayShare).flatMap { pair in
      (pair.isOwnInverse ? [0] : [0, 1]).compactMap { index -> MappingError? in
        let side = pair.sides[index]
        let transfer = keys.transfers.into(side.owner).first {
          $0.mapping.tells(side.relationship, $0.source)
        }
        guard let transfer else { return nil }
        var loss = side.name
        if case .relationship(let name)? = transfer.mapping.relationships[side.relationship] {
          loss = "\(old.declaring(name, of: transfer.source).name).\(name)"
        }
        guard !intends(loss) else { return nil }
        return .sharedDestination(
          entity: side.owner.name, relationship: side.relationship,
          inverse: pair.sides[1 - index].name, sourceEntity: transfer.source.name, loss: loss)
      }
    }
  }
}

extension EntityMapping {
  /// Whether the mapping determines the destinations from this side, so that several rows may share a destination.
  fileprivate func tells(_ relationship: String, _ source: EntityLayout) -> Bool {
    switch relationships[relationship] ?? .nothing {
    case .nothing: false
    case .relationship(let name): source.toOne[name] != nil
    case .path, .matching: true
    }
  }
}

extension DataModel {
  fileprivate var hasOneToOnes: Bool {
    entities.contains { entity in
      entity.relationships.contains {
        !$0.isToMany && sharedInverse(of: $0, declaredBy: entity)?.0.isToMany == false
      }
    }
  }
}

/// The attributes and to-one relationships that have a value in each row of an entity.
struct FilledProperties {
  /// The names of the properties, by the entity's name.
  private var names: [String: Set<String>] = [:]
  /// The entities without rows, such as entities that a previous version doesn't have.
  private var emptyEntities: Set<String> = []

  static let none = FilledProperties()

  private init() {}

  /// Creates the set of properties that a model requires.
  init(of model: DataModel) {
    for entity in model.entities {
      for attribute in model.storedAttributes(of: entity) where !attribute.isOptional {
        insert(attribute.name, of: entity.name)
      }
      for relationship in model.relationships(of: entity)
      where !relationship.isOptional && !relationship.isToMany {
        insert(relationship.name, of: entity.name)
      }
    }
  }

  func contains(_ property: String, of entity: String) -> Bool {
    hasNoRows(entity) || names[entity]?.contains(property) ?? false
  }

  func hasNoRows(_ entity: String) -> Bool { emptyEntities.contains(entity) }

  mutating func setHasNoRows(_ entity: String) { emptyEntities.insert(entity) }

  mutating func insert(_ property: String, of entity: String) {
    names[entity, default: []].insert(property)
  }
}

extension MigrationRoute {
  /// The errors that rows may cause, for each leg. Intermediate versions are used without their requirements
  /// (`ModelPairing.stages`), so the previous legs determine which values the rows have.
  package var risks: [[MappingError]] {
    guard let first = legs.first else { return [] }
    var filled = FilledProperties(of: first.mapping.source)
    return legs.map { leg in
      let risks = leg.mapping.risks(knowing: filled)
      if legs.count > 1 { filled = leg.mapping.filled(from: filled) }
      return risks
    }
  }
}
