import StoreDiagnostics
import StoreModel
import StorePredicate

extension ModelComparison {
  /// Returns the changes of attributes that one of the two entities declares itself.
  func attributeChanges(from old: Entity, to new: Entity, _ pair: EntityPair) -> [ModelChange] {
    let kept = Set(pair.attributes.values)
    var changes = old.attributes.filter { !kept.contains($0.name) }.compactMap { attribute in
      removal(of: attribute, from: new)
    }
    for attribute in new.attributes {
      guard let name = pair.attributes[attribute.name],
        case (.attribute(let before), let owner)? = source.property(named: name, of: old)
      else {
        changes.append(addition(of: attribute, to: new, before: old))
        continue
      }
      if !owner.name.isExactly(old.name) {
        let moved = AttributeChange.moved(from: owner.name, to: new.name)
        changes.append(.init(.attribute(attribute.name, of: new.name, moved), .hash))
      }
      changes += self.changes(from: before, to: attribute, of: new.name)
    }
    return changes + ascents(from: old, to: new, pair)
  }

  /// Returns the changes of attributes that the entity declared itself in the source, and that an ancestor declares in
  /// the target.
  private func ascents(from old: Entity, to new: Entity, _ pair: EntityPair) -> [ModelChange] {
    pair.attributes.sorted { $0.key < $1.key }.flatMap { name, oldName -> [ModelChange] in
      guard let before = old.attributes.first(where: { $0.name.isExactly(oldName) }),
        case (.attribute(let after), let owner)? = target.property(named: name, of: new),
        !owner.name.isExactly(new.name)
      else { return [] }
      let moved = AttributeChange.moved(from: old.name, to: owner.name)
      return [.init(.attribute(name, of: new.name, moved), .hash)]
        + changes(from: before, to: after, of: new.name)
    }
  }

  /// Returns the removal of an attribute. Returns nil if the attribute became a relationship, because this is a change
  /// of the relationship.
  private func removal(of attribute: Attribute, from new: Entity) -> ModelChange? {
    if case .relationship? = target.property(namedExactly: attribute.name, of: new),
      pairing.pair(toTarget: new.name)?.relationships[attribute.name] == nil
    {
      return nil
    }
    let change = AttributeChange.removed(attribute)
    return .init(
      .attribute(attribute.name, of: new.name, change), attribute.isTransient ? .none : .hash)
  }

  private func addition(of attribute: Attribute, to new: Entity, before old: Entity) -> ModelChange
  {
    var change = AttributeChange.added(
      attribute, resembles: resemblance.source(of: attribute, in: new.name))
    if case .relationship? = source.property(namedExactly: attribute.name, of: old),
      !(pairing.pair(toTarget: new.name)?.relationships.values.containsExactly(attribute.name)
        ?? false)
    {
      change = .wasRelationship
    }
    return .init(
      .attribute(attribute.name, of: new.name, change), attribute.isTransient ? .none : .hash)
  }

  private func changes(
    from old: Attribute, to new: Attribute, of entity: String
  ) -> [ModelChange] {
    // A store doesn't contain transient attributes. A derived attribute's version hash only contains its expression.
    let isStored = !(old.isTransient && new.isTransient)
    let isDerived = old.derivation != nil && new.derivation != nil
    let effect: ModelChange.Effect = !isStored ? .none : isDerived ? .schema : .hash
    return
      (definitionChanges(from: old, to: new).map { ($0, effect) }
      + sideChanges(from: old, to: new).map { change in
        (change, isStored ? change.sideEffect : .none)
      }).map { .init(.attribute(new.name, of: entity, $0), $1) }
  }

  /// Returns the changes of settings that the version hash of an attribute depends on, unless the attribute is derived.
  private func definitionChanges(from old: Attribute, to new: Attribute) -> [AttributeChange] {
    var changes: [AttributeChange] = []
    if !old.name.isExactly(new.name) { changes.append(.renamed(from: old.name)) }
    if let change = Replacement(old.type, new.type) { changes.append(.type(change)) }
    if old.isOptional != new.isOptional {
      changes.append(.isOptional(new.isOptional, fallback: new.defaultValue))
    }
    if let change = Replacement(old.versionHashModifier, new.versionHashModifier) {
      changes.append(.hashModifier(change))
    }
    for flag in [AttributeFlag.storedExternally, .preservedAfterDeletion]
    where old[flag] != new[flag] {
      changes.append(.flag(flag, new[flag]))
    }
    return changes
  }

  /// Returns the changes of the settings that `definitionChanges` doesn't compare.
  private func sideChanges(from old: Attribute, to new: Attribute) -> [AttributeChange] {
    var changes: [AttributeChange] = []
    if old.isTransient != new.isTransient { changes.append(.isTransient(new.isTransient)) }
    if let change = Replacement(old.derivation?.format, new.derivation?.format) {
      changes.append(.derivation(change))
    }
    if old.defaultValue?.asNumber != new.defaultValue?.asNumber,
      let change = Replacement(old.defaultValue, new.defaultValue)
    {
      changes.append(.defaultValue(change))
    }
    if let change = Replacement(old.validation, new.validation) {
      changes.append(.validation(change))
    }
    if let change = Replacement(old.valueTransformer, new.valueTransformer) {
      changes.append(.valueTransformer(change))
    }
    if old.name.isExactly(new.name),
      let change = Replacement(old.renamingIdentifier, new.renamingIdentifier)
    {
      changes.append(.renamingIdentifier(change))
    }
    if let change = Replacement(old.renamable.canonical, new.renamable.canonical) {
      changes.append(.identifierMismatch(change))
    }
    for flag in [AttributeFlag.indexed, .cloudEncrypted, .indexedBySpotlight, .scalar]
    where old[flag] != new[flag] {
      changes.append(.flag(flag, new[flag]))
    }
    if let change = Replacement(old.customClassName, new.customClassName) {
      changes.append(.customClassName(change))
    }
    let keys = old.userInfo.keys(changedTo: new.userInfo)
    if !keys.isEmpty { changes.append(.userInfo(keys: keys)) }
    return changes
  }
}

extension AttributeChange {
  fileprivate var sideEffect: ModelChange.Effect {
    switch self {
    case .isTransient, .derivation: .hash
    case .flag(.indexed, _): .schema
    case .added, .removed, .renamed, .moved, .wasRelationship, .type, .isOptional, .defaultValue,
      .valueTransformer, .validation, .flag, .customClassName, .hashModifier, .renamingIdentifier,
      .identifierMismatch, .userInfo:
      .none
    }
  }
}

extension Attribute {
  fileprivate subscript(flag: AttributeFlag) -> Bool {
    switch flag {
    case .indexed: isIndexed
    case .storedExternally: allowsExternalStorage
    case .preservedAfterDeletion: isPreservedAfterDeletion
    case .cloudEncrypted: allowsCloudEncryption
    case .indexedBySpotlight: isIndexedBySpotlight
    case .scalar: usesScalarValueType
    }
  }
}

extension Value {
  /// The value as a number, so that false, 0 and 0.0, which are the same default read with different types, are equal.
  fileprivate var asNumber: Value {
    switch self {
    case .boolean(let flag): .double(flag ? 1 : 0)
    case .integer(let number): Double(exactly: number).map(Value.double) ?? self
    case .null, .double, .string, .date, .uuid, .binary, .objectID: self
    }
  }
}
