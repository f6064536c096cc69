import StoreModel

extension LayoutBuilder {
  mutating func triggers() -> [TriggerLayout] {
    numbering.numbered.flatMap { entity, _ in
      entity.attributes.filter { !$0.isTransient && $0.derivation != nil }.flatMap {
        triggers(for: $0, of: entity)
      }
    }
  }

  private mutating func triggers(for attribute: Attribute, of entity: Entity) -> [TriggerLayout] {
    let made = knownTriggers(for: attribute, of: entity)
    if case .value? = attribute.derivation.flatMap(Derivation.init), !made.isEmpty {
      risks.append(
        "the triggers of the derived attribute '\(entity.name).\(attribute.name)' have the names"
          + " that Core Data gives them; their text is ours")
    }
    if made.isEmpty {
      risks.append(
        "the derived attribute '\(entity.name).\(attribute.name)' gets no triggers: their form is"
          + " known only for a count over a to-many and for an attribute of a to-one")
    }
    return made
  }

  private func knownTriggers(for attribute: Attribute, of entity: Entity) -> [TriggerLayout] {
    guard let derivation = attribute.derivation.flatMap(Derivation.init),
      let column = attributes[PropertyKey(entity.name, attribute.name)]?.column
    else { return [] }
    let triggers = DerivationTriggers(
      entity: entity.name, attribute: attribute.name, table: table(of: entity), column: column,
      numbers: numbers(of: entity))
    switch derivation {
    case .count(let relationship):
      guard case .column(let key)? = find(relationship, of: entity, in: toMany) else { return [] }
      return triggers.count(of: key.column, in: key.table)
    case .value(let relationship, let value):
      guard let key = find(relationship, of: entity, in: toOne),
        let destination = model.entity(named: key.destination),
        let copied = find(value, of: destination, in: attributes)
      else { return [] }
      return triggers.copy(of: copied.column, from: table(of: destination), by: key.column)
    }
  }

  /// Nil for a root: its tree is the whole table.
  private func numbers(of entity: Entity) -> ClosedRange<Int64>? {
    let tree = numbering.subtree(of: entity)
    guard entity.parent != nil, let low = tree.first, let high = tree.last else { return nil }
    return low...high
  }

  private func find<Place>(
    _ property: String, of entity: Entity, in places: [PropertyKey: Place]
  ) -> Place? {
    ([entity] + model.ancestors(of: entity)).lazy
      .compactMap { places[PropertyKey($0.name, property)] }.first
  }
}
