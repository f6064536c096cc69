import StoreLayout
import StoreModel

/// The attributes and to-one relationships that each row of an entity has a value for.
struct FilledProperties {
  private var names: [String: Set<String>] = [:]

  static let none = FilledProperties()

  private init() {}

  /// The properties that a model requires.
  init(of model: Model) {
    for entity in model.entities {
      for attribute in model.storedAttributes(of: entity) where !attribute.isOptional {
        insert(attribute.name, of: entity.name)
      }
      for relationship in model.relationships(of: entity)
      where !relationship.isOptional && !relationship.isToMany {
        insert(relationship.name, of: entity.name)
      }
    }
  }

  func contains(_ property: String, of entity: String) -> Bool {
    names[entity]?.contains(property) ?? false
  }

  mutating func insert(_ property: String, of entity: String) {
    names[entity, default: []].insert(property)
  }
}

extension MigrationRoute {
  /// The problems of each leg that may stop some rows. A version that is only passed requires nothing, so that the
  /// legs before tell which values its rows have.
  package var risks: [[MappingError]] {
    guard let first = legs.first else { return [] }
    var filled = FilledProperties(of: first.mapping.source)
    return legs.map { leg in
      let risks = leg.mapping.risks(knowing: filled)
      if legs.count > 1 { filled = leg.mapping.filled(from: filled) }
      return risks
    }
  }
}
