import StoreModel
import StoreDiagnostics

extension ModelPairing {
  /// Returns the versions of a route as stages of one migration. A stage is the model of an intermediate version,
  /// extended by the entities and properties that it lacks but the source and the target have, so that it doesn't lose
  /// data. The first stage is the source, and the last stage is the target.
  ///
  /// A stage doesn't enforce requirements that rows could violate. The target enforces its own requirements.
  ///
  /// - Parameters:
  ///   - versions: the models of all versions of the route, including the source and the target.
  ///   - definitions: the definition of each leg, or nil.
  func stages(of versions: [DataModel], by definitions: [MigrationDefinition?]) -> [DataModel] {
    let spoken = definitions.compactMap(\.self).reduce(into: Set<String>()) {
      $0.formUnion($1.entityNames)
    }
    var stages = [source]
    var reached: ModelPairing?
    func reach(_ version: DataModel, from stage: DataModel) -> ModelPairing {
      let step = ModelPairing(from: stage, to: version)
      return reached?.followed(by: step) ?? step
    }
    for index in versions.indices.dropFirst().dropLast() {
      let (version, last) = (versions[index], stages[index - 1])
      let rest = zip(versions[index...], versions[(index + 1)...]).map(ModelPairing.init)
      var stage = Stage(
        version, carrying: self, reached: reach(version, from: last),
        onward: rest.dropFirst().reduce(rest[0]) { $0.followed(by: $1) })
      // SQL in a definition may contain entity numbers, which additional entities would change.
      let knowsTables = definitions[(index - 1)...index].contains {
        $0?.statements.isEmpty == false
      }
      if !knowsTables { stage.carryEntities(besides: spoken) }
      stage.carryProperties()
      stage.relax()
      stages.append(stage.model)
      reached = reach(stage.model, from: last)
    }
    return versions.count > 1 ? stages + [target] : stages
  }
}

extension MigrationDefinition {
  /// The entities whose rows the definition maps or drops.
  fileprivate var entityNames: Set<String> {
    var names = Set(drops.filter { $0.property == nil }.map(\.entity.meaning))
    names.formUnion(entities.map(\.name.meaning))
    names.formUnion(entities.compactMap(\.source?.meaning))
    return names
  }

  /// Whether the definition maps or drops `Item`, or drops `Item.note`.
  func speaks(of name: String) -> Bool {
    entityNames.contains(String(name.prefix { $0 != "." }))
      || drops.contains { drop in
        drop.property.map { "\(drop.entity.meaning).\($0.meaning)" } == name
      }
  }
}

/// A stage while it is created (`ModelPairing.stages`).
private struct Stage {
  /// The pairing of the source and the target.
  let pairing: ModelPairing
  private let version: DataModel
  private var entities: [EntityDescription]
  /// The names of entities in this stage, by their names in the source. An entity is missing if the following versions
  /// pair it with another entity of the target than `pairing` does.
  private var names: [String: String]
  /// The pairing of the source and this version.
  private let reached: ModelPairing
  /// The pairing of this version and the target.
  private let onward: ModelPairing

  init(
    _ version: DataModel, carrying pairing: ModelPairing, reached: ModelPairing,
    onward: ModelPairing
  ) {
    (self.version, self.pairing, self.reached, self.onward) = (version, pairing, reached, onward)
    entities = version.entities
    let leading = reached.entities.filter { here in
      let goal = pairing.pair(fromSource: here.source)?.target
      return goal == nil || (onward.pair(fromSource: here.target)?.target).isExactly(goal)
    }
    names = Dictionary(
      leading.map { ($0.source, $0.target) }, uniquingKeysWith: { first, _ in first })
  }

  var model: DataModel {
    let known = Set(version.composites.map(\.name))
    return DataModel(
      name: version.name, versionIdentifiers: version.versionIdentifiers, entities: entities,
      configurations: version.configurations,
      composites: version.composites.map(carrying)
        + pairing.source.composites.filter { !known.contains($0.name) })
  }

  /// Returns the composite with the elements that it lacks but the source and the target have. Makes required elements
  /// without a default optional.
  private func carrying(_ composite: CompositeDescription) -> CompositeDescription {
    func elements(in model: DataModel) -> [AttributeDescription] {
      model.composite(named: composite.name)?.attributes ?? []
    }
    let goals = Set(elements(in: pairing.target).map(\.name))
      .subtracting(composite.attributes.map(\.name))
    var composite = composite
    composite.attributes += elements(in: pairing.source).filter { goals.contains($0.name) }
    for (index, element) in composite.attributes.enumerated() where element.lacksValue {
      composite.attributes[index].isOptional = true
    }
    return composite
  }

  /// Adds the entities that this version lacks but the source and the target have, with the parents that they require.
  ///
  /// - Parameter spoken: the entities that a definition on the route maps or drops. They aren't added.
  mutating func carryEntities(besides spoken: Set<String>) {
    var missing: Set<String> = []
    for name in pairing.entities.map(\.source) where names[name] == nil && !spoken.contains(name) {
      guard let entity = pairing.source.entity(named: name) else { continue }
      missing.insert(name)
      missing.formUnion(pairing.source.ancestors(of: entity).map(\.name))
    }
    missing.subtract(names.keys)
    missing.subtract(entities.map(\.name))
    for name in missing { names[name] = name }
    for name in missing.sorted() {
      guard var entity = pairing.source.entity(named: name) else { continue }
      entity.parent = entity.parent.flatMap { names[$0] }
      entity.attributes = []
      entity.relationships = []
      entity.fetchedProperties = []
      entity.indexes = []
      entities.append(entity)
    }
  }

  /// Adds the properties that this version lacks but the source and the target have, to the entities that declare them
  /// in the source.
  mutating func carryProperties() {
    for old in pairing.source.entities {
      guard let name = names[old.name], let index = entities.firstIndex(where: { $0.name == name })
      else { continue }
      let pairs = pairing.source.subtree(of: old).compactMap { pairing.pair(fromSource: $0.name) }
      let (here, there) = (reached.pair(fromSource: old.name), onward.pair(fromSource: name))
      let taken = propertyNames(below: entities[index])
      func isMissing(_ property: String, _ kept: KeyPath<EntityPair, [String: String]>) -> Bool {
        !taken.contains(property)
          && pairs.contains { pair in
            let goal = pair[keyPath: kept].first { $0.value == property }?.key
            let stage = goal.flatMap { there?[keyPath: kept][$0] }
            return goal != nil
              && (stage == nil || stage.flatMap { here?[keyPath: kept][$0] } != property)
          }
      }
      entities[index].attributes += old.attributes.filter { isMissing($0.name, \.attributes) }
      entities[index].attributes.sort { $0.name < $1.name }
      entities[index].relationships += old.relationships.compactMap {
        isMissing($0.name, \.relationships) ? carried($0) : nil
      }
      entities[index].relationships.sort { $0.name < $1.name }
    }
    dropLooseInverses()
  }

  /// Returns a relationship of the source with the destination's name in this stage, or nil if the stage lacks the
  /// destination.
  private func carried(_ relationship: RelationshipDescription) -> RelationshipDescription? {
    guard let destination = names[relationship.destination] else { return nil }
    var relationship = relationship
    relationship.destination = destination
    return relationship
  }

  private func propertyNames(below entity: EntityDescription) -> Set<String> {
    let model = DataModel(name: "", entities: entities)
    return Set(
      model.subtree(of: entity).flatMap {
        model.attributes(of: $0).map(\.name) + model.relationships(of: $0).map(\.name)
      })
  }

  /// Removes the inverse of relationships whose inverse doesn't refer back to them in this stage. The pairs of a
  /// relationship without an inverse are kept as well.
  private mutating func dropLooseInverses() {
    let model = DataModel(name: "", entities: entities)
    for place in entities.indices {
      for (index, relationship) in entities[place].relationships.enumerated() {
        let back = model.inverse(of: relationship)?.0
        if back?.inverse != relationship.name { entities[place].relationships[index].inverse = nil }
      }
    }
  }

  /// Removes the requirements of an intermediate version that rows could violate, or that would replace NULL by a
  /// default although both ends allow NULL.
  mutating func relax() {
    for place in entities.indices {
      entities[place].uniquenessConstraints = []
      let free = optionalAttributes(of: entities[place].name)
      for (index, attribute) in entities[place].attributes.enumerated()
      where attribute.lacksValue || free.contains(attribute.name) {
        entities[place].attributes[index].isOptional = true
      }
      for index in entities[place].relationships.indices {
        entities[place].relationships[index].isOptional = true
      }
    }
  }

  /// Returns the attributes that are optional in both the source and the target.
  private func optionalAttributes(of name: String) -> Set<String> {
    guard let here = reached.pair(toTarget: name), let pair = pairing.pair(fromSource: here.source)
    else { return [] }
    func isOptional(_ attribute: String, _ entity: String, _ model: DataModel) -> Bool {
      guard let entity = model.entity(named: entity),
        case .attribute(let found)? = model.property(named: attribute, of: entity)?.0
      else { return false }
      return found.isOptional
    }
    return Set(
      here.attributes.filter { _, source in
        guard let target = pair.attributes.first(where: { $0.value == source })?.key else {
          return false
        }
        return isOptional(source, pair.source, pairing.source)
          && isOptional(target, pair.target, pairing.target)
      }.keys)
  }
}
