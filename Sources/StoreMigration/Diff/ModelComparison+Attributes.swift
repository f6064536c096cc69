import StoreDiagnostics
import StoreModel
import StorePredicate

extension ModelComparison {
  /// Returns the changes of attributes that one of the two entities declares itself.
  func attributeChanges(from old: EntityDescription, to new: EntityDescription, _ pair: EntityPair)
    -> [ModelChange]
  {
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
  private func ascents(from old: EntityDescription, to new: EntityDescription, _ pair: EntityPair)
    -> [ModelChange]
  {
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
  private func removal(of attribute: AttributeDescription, from new: EntityDescription)
    -> ModelChange?
  {
    if case .relationship? = target.property(namedExactly: attribute.name, of: new),
      pairing.pair(toTarget: new.name)?.relationships[attribute.name] == nil
    {
      return nil
    }
    let change = AttributeChange.removed(attribute)
    return .init(
      .attribute(attribute.name, of: new.name, change), attribute.isTransient ? .none : .hash)
  }

  private func addition(
    of attribute: AttributeDescription, to new: EntityDescription, before old: EntityDescription
  ) -> ModelChange {
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
    from old: AttributeDescription, to new: AttributeDescription, of entity: String
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
  private func definitionChanges(from old: AttributeDescription, to new: AttributeDescription)
    -> [AttributeChange]
  {
    let isOptional = AttributeChange.isOptional(new.isOptional, fallback: new.defaultValue)
    let changes: [AttributeChange?] = [
      old.name.isExactly(new.name) ? nil : .renamed(from: old.name),
      Replacement(old.type, new.type).map(AttributeChange.type),
      old.isOptional == new.isOptional ? nil : isOptional,
      Replacement(old.versionHashModifier, new.versionHashModifier)
        .map(AttributeChange.hashModifier),
      flagChange(.storedExternally, from: old, to: new),
      flagChange(.preservedAfterDeletion, from: old, to: new),
    ]
    return changes.compactMap(\.self)
  }

  private func flagChange(
    _ flag: AttributeFlag, from old: AttributeDescription, to new: AttributeDescription
  ) -> AttributeChange? {
    old[flag] == new[flag] ? nil : .flag(flag, new[flag])
  }

  /// Returns the changes of the settings that `definitionChanges` doesn't compare.
  private func sideChanges(from old: AttributeDescription, to new: AttributeDescription)
    -> [AttributeChange]
  {
    let keys = old.userInfo.keys(changedTo: new.userInfo)
    let changes: [AttributeChange?] = [
      old.isTransient == new.isTransient ? nil : .isTransient(new.isTransient),
      Replacement(old.derivation?.format, new.derivation?.format).map(AttributeChange.derivation),
      Replacement(old.defaultValue, new.defaultValue) { $0?.asNumber == $1?.asNumber }
        .map(AttributeChange.defaultValue),
      Replacement(old.validation, new.validation).map(AttributeChange.validation),
      Replacement(old.valueTransformer, new.valueTransformer)
        .map(AttributeChange.valueTransformer),
      Replacement(identifierOf: old.renamable, new.renamable)
        .map(AttributeChange.renamingIdentifier),
      Replacement(old.renamable.canonical, new.renamable.canonical)
        .map(AttributeChange.identifierMismatch),
      flagChange(.indexed, from: old, to: new),
      flagChange(.cloudEncrypted, from: old, to: new),
      flagChange(.indexedBySpotlight, from: old, to: new),
      flagChange(.scalar, from: old, to: new),
      Replacement(old.customClassName, new.customClassName).map(AttributeChange.customClassName),
      keys.isEmpty ? nil : .userInfo(keys: keys),
    ]
    return changes.compactMap(\.self)
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

extension AttributeDescription {
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

extension DataValue {
  /// The value as a number, so that false, 0 and 0.0, which are the same default read with different types, are equal.
  fileprivate var asNumber: DataValue {
    switch self {
    case .boolean(let flag): .double(flag ? 1 : 0)
    case .integer(let number): Double(exactly: number).map(DataValue.double) ?? self
    case .null, .double, .string, .date, .uuid, .binary, .objectID: self
    }
  }
}
