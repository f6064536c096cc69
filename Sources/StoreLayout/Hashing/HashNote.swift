package import StoreModel

/// A feature of a model whose effect on the version hash is assumed, because no public store contains it.
///
/// Core Data may reject a store that storetool creates for such a model, because its own hashes can differ. The note is
/// shown by `model hash` and when a store is created, and isn't an error.
package enum HashNote: Hashable, Sendable {
  case composite(attribute: String)
  case ownInverse(relationship: String)
  case relationshipModifier(relationship: String)
  case externalAndPreserved(attribute: String)
  case derivation(attribute: String)
  case nonASCII(name: String)
  case cloudEncryption(attribute: String)
  case maximumCount(relationship: String)
  case severalConstraints(entity: String)

  /// The note as a sentence.
  package var message: String {
    switch self {
    case .composite(let name): "'\(name)' is a composite"
    case .ownInverse(let name): "'\(name)' is its own inverse"
    case .relationshipModifier(let name): "the relationship '\(name)' has a version hash modifier"
    case .externalAndPreserved(let name):
      "'\(name)' is stored externally and kept after deletion at the same time"
    case .derivation(let name): "'\(name)' is derived by more than a count or a key path"
    case .nonASCII(let name): "the name '\(name)' has characters outside of ASCII"
    case .cloudEncryption(let name): "'\(name)' allows cloud encryption"
    case .maximumCount(let name): "'\(name)' has a maximum count"
    case .severalConstraints(let name): "'\(name)' has several uniqueness constraints"
    }
  }
}

extension VersionHash {
  /// Returns the notes for a model, in the order of its entities.
  package static func notes(on model: DataModel) -> [HashNote] {
    let hasher = EntityHasher(model: model)
    var notes: [HashNote] = []
    for entity in model.entities {
      notes += Self.notes(on: entity)
      for attribute in entity.attributes where !attribute.isTransient {
        notes += Self.notes(on: attribute, of: entity)
      }
      for relationship in entity.relationships where !relationship.isTransient {
        notes += Self.notes(on: relationship, of: entity, hasher)
      }
    }
    return notes
  }

  private static func notes(on entity: EntityDescription) -> [HashNote] {
    var notes: [HashNote] = []
    if !isASCII(entity.name) { notes.append(.nonASCII(name: entity.name)) }
    if entity.uniquenessConstraints.count > 1 {
      notes.append(.severalConstraints(entity: entity.name))
    }
    return notes
  }

  private static func notes(on attribute: AttributeDescription, of entity: EntityDescription)
    -> [HashNote]
  {
    let name = "\(entity.name).\(attribute.name)"
    var notes: [HashNote] = []
    if !isASCII(attribute.name) { notes.append(.nonASCII(name: name)) }
    if case .composite = attribute.type { notes.append(.composite(attribute: name)) }
    if attribute.allowsExternalStorage, attribute.isPreservedAfterDeletion {
      notes.append(.externalAndPreserved(attribute: name))
    }
    if let derivation = attribute.derivation, DerivationText.knownText(of: derivation) == nil {
      notes.append(.derivation(attribute: name))
    }
    if attribute.allowsCloudEncryption { notes.append(.cloudEncryption(attribute: name)) }
    return notes
  }

  private static func notes(
    on relationship: RelationshipDescription, of entity: EntityDescription, _ hasher: EntityHasher
  ) -> [HashNote] {
    let name = "\(entity.name).\(relationship.name)"
    var notes: [HashNote] = []
    if !isASCII(relationship.name) { notes.append(.nonASCII(name: name)) }
    if hasher.isOwnInverse(relationship, declaredBy: entity) {
      notes.append(.ownInverse(relationship: name))
    }
    if relationship.versionHashModifier != nil {
      notes.append(.relationshipModifier(relationship: name))
    }
    let usualMaximum = relationship.isToMany ? 0 : 1
    if let maximum = relationship.maximumCount, maximum != usualMaximum {
      notes.append(.maximumCount(relationship: name))
    }
    return notes
  }

  private static func isASCII(_ name: String) -> Bool { name.utf8.allSatisfy { $0 < 0x80 } }
}
