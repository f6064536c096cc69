package import StoreModel

extension ModelChange {
  /// The kind of migration that a change requires, from the easiest to the hardest.
  package enum Difficulty: String, Hashable, Sendable, Comparable, CaseIterable {
    /// The change doesn't affect the schema.
    case nothing
    case addition
    case removal
    /// A setting changes, such as a flag, an index or a constraint.
    case setting
    case rename
    /// A change of the hierarchy, of a property's declaring entity, of a cardinality, of a destination within the
    /// hierarchy, or of whether a property is transient.
    case structure
    /// Core Data's documentation doesn't promise to infer the change.
    case beyondInference = "beyond inference"

    package static func < (a: Difficulty, b: Difficulty) -> Bool { a.rank < b.rank }

    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
  }

  package var difficulty: Difficulty {
    switch kind {
    case .entity(_, let change): change.difficulty
    case .attribute(_, _, let change): change.difficulty
    case .relationship(_, _, let change): change.difficulty
    case .composite(_, let change): change.difficultyInTables
    case .fetchedProperty, .template, .configuration, .versionIdentifiers: .nothing
    }
  }
}

extension EntityChange {
  fileprivate var difficulty: ModelChange.Difficulty {
    switch self {
    case .added: .addition
    case .removed: .removal
    case .renamed: .rename
    case .parent, .isAbstract: .structure
    case .hashModifier, .renamingIdentifier, .identifierMismatch, .indexAdded, .indexRemoved,
      .index, .constraintAdded, .constraintRemoved:
      .setting
    case .className, .codeGeneration, .userInfo: .nothing
    }
  }
}

extension AttributeChange {
  fileprivate var difficulty: ModelChange.Difficulty {
    switch self {
    case .added(let attribute, _): attribute.lacksValue ? .beyondInference : .addition
    case .removed: .removal
    case .renamed: .rename
    case .moved, .isTransient: .structure
    case .wasRelationship, .type, .isOptional(false, fallback: .none): .beyondInference
    case .isOptional, .defaultValue, .derivation, .valueTransformer, .validation, .hashModifier,
      .renamingIdentifier, .identifierMismatch:
      .setting
    case .flag(.scalar, _), .customClassName, .userInfo: .nothing
    case .flag: .setting
    }
  }
}

extension RelationshipChange {
  fileprivate var difficulty: ModelChange.Difficulty {
    switch self {
    case .added: .addition
    case .removed: .removal
    case .renamed, .destination(_, .renamed): .rename
    case .moved, .cardinality, .destination(_, .ancestor), .destination(_, .descendant),
      .isTransient:
      .structure
    case .wasAttribute, .destination(_, .unrelated), .isOptional(false): .beyondInference
    case .inverse, .deleteRule, .counts, .isOptional, .isIndexed, .hashModifier,
      .renamingIdentifier, .identifierMismatch:
      .setting
    case .userInfo: .nothing
    }
  }
}

extension DefinitionChange {
  fileprivate var difficultyInTables: ModelChange.Difficulty {
    switch self {
    case .added: .addition
    case .removed: .removal
    case .changed: .beyondInference
    }
  }
}

extension AttributeDescription {
  /// Whether rows without a value for the attribute violate the model: the attribute is stored and required, and it has
  /// neither a default nor a derivation.
  package var lacksValue: Bool {
    !isOptional && !isTransient && defaultValue == nil && derivation == nil
  }
}

extension ModelChange {
  /// The entity that the change concerns, with its name in the target, or in the source if it was removed; nil for
  /// changes of the whole model.
  package var entity: String? {
    switch kind {
    case .entity(let name, _): name
    case .attribute(_, of: let entity, _), .relationship(_, of: let entity, _),
      .fetchedProperty(_, of: let entity, _):
      entity
    case .template, .composite, .configuration, .versionIdentifiers: nil
    }
  }

  /// The name of the property, template, composite or configuration that the change concerns; nil for an entity or the
  /// version identifiers.
  package var name: String? {
    switch kind {
    case .entity, .versionIdentifiers: nil
    case .attribute(let name, _, _), .relationship(let name, _, _),
      .fetchedProperty(let name, _, _), .template(let name, _), .composite(let name, _),
      .configuration(let name, _):
      name
    }
  }

  /// Whether the subject of the change only exists in the source.
  package var isRemoval: Bool {
    switch kind {
    case .entity(_, .removed), .attribute(_, _, .removed), .relationship(_, _, .removed),
      .fetchedProperty(_, _, .removed), .template(_, .removed), .composite(_, .removed),
      .configuration(_, .removed):
      true
    case .entity, .attribute, .relationship, .fetchedProperty, .template, .composite,
      .configuration, .versionIdentifiers:
      false
    }
  }

  /// The removed entity or property that an added one resembles; nil for other changes. If the removed one was renamed
  /// without a renaming identifier, its rows or values would be lost.
  package var resembles: String? {
    switch kind {
    case .entity(_, .added(_, let name)), .attribute(_, _, .added(_, let name)),
      .relationship(_, _, .added(_, let name)):
      name
    case .entity, .attribute, .relationship, .fetchedProperty, .template, .composite,
      .configuration, .versionIdentifiers:
      nil
    }
  }
}
