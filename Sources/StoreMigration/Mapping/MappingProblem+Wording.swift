import StoreModel

extension MappingProblem {
  /// Stable, for scripts.
  package var code: String {
    switch self {
    case .missingValue: "migrate.missing-value"
    case .typeChange: "migrate.type-change"
    case .inconvertible: "migrate.inconvertible"
    case .duplicates: "migrate.duplicates"
    case .externalValue: "migrate.external-value"
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
    case .externalValue(let entity, let attribute):
      "'\(entity).\(attribute)' keeps its values in rows, and those of rows lie in files"
    case .abstractEntity(let entity): "'\(entity)' is abstract, and rows would belong to it"
    }
  }

  /// The target entity that it is about.
  package var entity: String {
    switch self {
    case .missingValue(let entity, _, _), .typeChange(let entity, _, _, _),
      .inconvertible(let entity, _, _, _), .duplicates(let entity, _),
      .externalValue(let entity, _), .abstractEntity(let entity):
      entity
    }
  }
}
