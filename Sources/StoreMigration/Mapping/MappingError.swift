package import StoreDiagnostics
package import StoreModel

/// Why the way from one version to the next can't be inferred, or not for the rows of this store.
package enum MappingError: Error, Hashable, Sendable {
  /// An attribute is required, has no default, and rows have no value for it.
  case missingValue(entity: String, attribute: String, sourceAttribute: String?)
  /// No safe conversion between the types.
  case typeChange(entity: String, attribute: String, from: AttributeType, to: AttributeType)
  /// A conversion that every value must survive: these don't.
  case inconvertible(entity: String, attribute: String, from: AttributeType, to: AttributeType)
  /// A value lies in a file beside the store, and the target keeps it in the row.
  case unreadableFile(entity: String, attribute: String)
  /// Rows with equal values where the target demands unique ones.
  case duplicates(entity: String, properties: [String])
  /// A to-one is required, and rows have no destination for it.
  case missingDestination(
    entity: String, relationship: String, sourceEntity: String, sourceRelationship: String?)
  /// Rows share a destination that has place for one of them: the relationship's inverse is a to-one.
  case sharedDestination(
    entity: String, relationship: String, inverse: String, sourceEntity: String, loss: String)
  /// Rows that exist become those of an entity that is abstract.
  case abstractEntity(String)

  /// Stable, for scripts.
  package var code: String {
    switch self {
    case .missingValue: "migrate.missing-value"
    case .typeChange: "migrate.type-change"
    case .inconvertible: "migrate.inconvertible"
    case .duplicates: "migrate.duplicates"
    case .unreadableFile: "migrate.unreadable-file"
    case .missingDestination: "migrate.missing-destination"
    case .sharedDestination: "migrate.shared-destination"
    case .abstractEntity: "migrate.abstract-entity"
    }
  }

  /// What is wrong with the rows.
  package var sentence: String {
    switch self {
    case .missingValue(let entity, let attribute, _):
      "'\(entity).\(attribute)' is required and has no default, and rows have no value for it"
    case .typeChange(let entity, let attribute, let old, let new):
      "'\(entity).\(attribute)' becomes \(new.name), and \(old.name) does not convert to it"
    case .inconvertible(let entity, let attribute, let old, let new):
      "'\(entity).\(attribute)' becomes \(new.name), and values do not convert from \(old.name)"
    case .duplicates(let entity, let properties):
      "'\(entity)' becomes unique by \(properties.map { "'\($0)'" }.joined(separator: ", ")), and rows are not"
    case .unreadableFile(let entity, let attribute):
      "'\(entity).\(attribute)' is no longer stored externally, and files with its values can't be read"
    case .missingDestination(let entity, let relationship, _, _):
      "'\(entity).\(relationship)' is required, and rows have no destination for it"
    case .sharedDestination(let entity, let relationship, let inverse, _, _):
      "'\(entity).\(relationship)' becomes one-to-one with '\(inverse)', and rows share a destination"
    case .abstractEntity(let entity): "'\(entity)' is abstract, and rows would belong to it"
    }
  }

  /// What to write in a definition, or to allow; nil where the sentence says enough.
  package var remedy: Remedy? {
    switch self {
    case .missingValue(let entity, let attribute, _):
      "say it in a definition: <entity name=\"\(entity)\"><attribute name=\"\(attribute)\" default=\"…\"/></entity>"
    case .missingDestination(let entity, let relationship, let source, let old):
      "say it in a definition: <entity name=\"\(entity)\"><relationship name=\"\(relationship)\" match=\"…\"/></entity>, or let the rows go: <drop entity=\"\(source)\" where=\"\(old.map { "\($0) == nil" } ?? "…")\"/>"
    case .sharedDestination(_, _, _, let source, let loss):
      .migration(.allowSharedLoss(loss, sourceEntity: source))
    case .unreadableFile: "copy the store together with its folder '.NAME_SUPPORT'"
    case .typeChange, .inconvertible, .duplicates, .abstractEntity: nil
    }
  }

  /// The target entity that it is about.
  package var entity: String {
    switch self {
    case .missingValue(let entity, _, _), .typeChange(let entity, _, _, _),
      .inconvertible(let entity, _, _, _), .duplicates(let entity, _),
      .unreadableFile(let entity, _), .missingDestination(let entity, _, _, _),
      .sharedDestination(let entity, _, _, _, _), .abstractEntity(let entity):
      entity
    }
  }
}
