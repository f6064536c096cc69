package import StoreDiagnostics
import StoreModel

extension MappingError {
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
