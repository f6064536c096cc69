import SQLiteAccess
import StoreModel

extension LayoutBuilder {
  mutating func triggers() -> [TriggerLayout] {
    let made = propertyTriggers()
    if !computed.isEmpty {
      let names = computed.map { "\($0.entity).\($0.attribute)" }.joined(separator: ", ")
      risks.append(
        "Core Data's triggers for derived attributes such as \(names) are unknown; storetool"
          + " doesn't create them, and computes the values when it writes")
    }
    return made
  }

  private mutating func propertyTriggers() -> [TriggerLayout] {
    numbering.numbered.flatMap { entity, _ in
      entity.attributes.filter { !$0.isTransient }.flatMap { attribute in
        (attribute.derivation == nil ? [] : derivationTriggers(for: attribute, of: entity))
          + (attribute.userInfo[TriggerKey.name].map {
            countingTriggers(for: attribute, of: entity, key: $0)
          } ?? [])
      }
    }
  }

  private mutating func derivationTriggers(
    for attribute: AttributeDescription, of entity: EntityDescription
  ) -> [TriggerLayout] {
    let made = knownTriggers(for: attribute, of: entity)
    let derivation = attribute.derivation.flatMap(Derivation.init)
    if case .value(let names)? = derivation, !made.isEmpty, !areRoots(entity, names[0]) {
      risks.append(
        "the triggers of the derived attribute '\(entity.name).\(attribute.name)' have the names"
          + " that Core Data uses; their text is a guess, because an entity has a parent")
    }
    if derivation == nil {
      risks.append(
        "the derived attribute '\(entity.name).\(attribute.name)' stays empty, because Apple doesn't document"
          + " this form of derivation")
    } else if made.isEmpty {
      computed.append(ComputedAttribute(entity: entity.name, attribute: attribute.name))
    }
    return made
  }

  private mutating func countingTriggers(
    for attribute: AttributeDescription, of entity: EntityDescription, key: String
  ) -> [TriggerLayout] {
    guard let made = TriggerKey(key).flatMap({ countingTriggers(for: attribute, of: entity, $0) })
    else {
      risks.append(
        "'\(entity.name).\(attribute.name)', whose user info has '\(TriggerKey.name)', has no"
          + " triggers, because their form is known only for integers of an entity without a parent and a"
          + " condition like '(items.hidden == NO) && (items.size != 0)'")
      return []
    }
    return made
  }

  private func countingTriggers(
    for attribute: AttributeDescription, of entity: EntityDescription, _ key: TriggerKey
  ) -> [TriggerLayout]? {
    guard attribute.type.storage.declared == .integer, areRoots(entity, key.relationship),
      let column = attributes[PropertyKey(entity.name, attribute.name)]?.column
    else { return nil }
    let reference: CountingTriggers.Reference
    let counted: EntityDescription?
    if let own = find(key.relationship, of: entity, in: toOne) {
      (reference, counted) = (.own(own.column), model.entity(named: own.destination))
    } else if let relationship = entity.relationships.first(where: {
      $0.name == key.relationship
    }), model.sharedInverse(of: relationship, declaredBy: entity) != nil,
      case .column(let back)? = find(key.relationship, of: entity, in: toMany)
    {
      (reference, counted) = (.counted(back.column), model.entity(named: back.destination))
    } else {
      return nil
    }
    guard let counted else { return nil }
    let comparisons = key.comparisons.compactMap { comparison -> (String, SQL)? in
      find(comparison.attribute, of: counted, in: attributes).map {
        ($0.column, "\(comparison.symbol) \(value: .integer(comparison.number))")
      }
    }
    guard comparisons.count == key.comparisons.count else { return nil }
    return CountingTriggers(
      table: table(of: entity), column: column, counted: table(of: counted), reference: reference,
      comparisons: comparisons
    ).triggers()
  }

  /// Returns whether neither an entity nor the destination of its relationship has a parent.
  private func areRoots(_ entity: EntityDescription, _ relationship: String) -> Bool {
    let destination =
      find(relationship, of: entity, in: toOne)?.destination
      ?? find(relationship, of: entity, in: toMany)?.destination
    return entity.parent == nil
      && destination.flatMap(model.entity(named:)).map { $0.parent == nil } == true
  }

  private func knownTriggers(for attribute: AttributeDescription, of entity: EntityDescription)
    -> [TriggerLayout]
  {
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
    case .value(let names) where names.count == 2:
      let (relationship, value) = (names[0], names[1])
      guard let key = find(relationship, of: entity, in: toOne),
        let destination = model.entity(named: key.destination),
        let copied = find(value, of: destination, in: attributes)
      else { return [] }
      return triggers.copy(of: copied.column, from: table(of: destination), by: key.column)
    case .now, .sum, .value, .text: return []
    }
  }

  /// Returns the numbers of an entity and its subentities, or nil for a root, whose hierarchy is the whole table.
  private func numbers(of entity: EntityDescription) -> ClosedRange<Int64>? {
    let tree = numbering.subtree(of: entity)
    guard entity.parent != nil, let low = tree.first, let high = tree.last else { return nil }
    return low...high
  }

  func find<Place>(
    _ property: String, of entity: EntityDescription, in places: [PropertyKey: Place]
  ) -> Place? {
    ([entity] + model.ancestors(of: entity)).lazy
      .compactMap { places[PropertyKey($0.name, property)] }.first
  }
}
