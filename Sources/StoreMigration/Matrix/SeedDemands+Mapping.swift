import StoreLayout
import StoreModel
import StoreSeeding

/// The requirements that rows of a version must satisfy so that they can be migrated to a later version. The model of
/// the earlier version doesn't contain these requirements, so rows of users may violate them. Therefore, a trial first
/// uses sample rows that may violate them.
extension SeedDemands {
  /// - Parameter mappings: the mappings. Each begins at the version where the previous one ends.
  init(of mappings: [ModelMapping]) {
    self = mappings.reversed().reduce(.none) { $0.before($1) }
  }

  /// Returns the requirements on the rows of a mapping's source, based on these requirements on the rows of its target.
  private func before(_ mapping: ModelMapping) -> SeedDemands {
    var earlier = SeedDemands()
    for entity in mapping.entities {
      let unique = mapping.target.uniqueProperties(of: entity.target)
      for (name, origin) in entity.attributes {
        guard case .attribute(let source) = origin.source,
          let old = mapping.source.storedAttribute(source, of: entity.source),
          let new = mapping.target.storedAttribute(name, of: entity.target)
        else { continue }
        let later = self[entity.target, name]
        let isRequired = later.isRequired || !new.isOptional && new.derivation == nil
        let isChecked = Conversion(from: old.type, to: new.type) == .checked
        earlier.add(
          Demand(
            isRequired: isRequired && origin.fallback == nil,
            isUnique: later.isUnique || unique.contains(name),
            type: later.type ?? (isChecked ? new.type : nil)),
          entity: entity.source, property: source)
      }
      for (name, origin) in entity.relationships {
        guard case .relationship(let source) = origin else { continue }
        let later = self[entity.target, name]
        let new = mapping.target.relationship(name, of: entity.target)
        let isRequired = new.map { !$0.isOptional && !$0.isToMany } ?? false
        earlier.add(
          Demand(isRequired: later.isRequired || isRequired),
          entity: entity.source, property: source)
      }
    }
    return earlier
  }
}
