package import StoreModel

/// What rows must satisfy beside what their model demands: to get through a migration, say.
package struct SeedDemands: Hashable, Sendable {
  package struct Demand: Hashable, Sendable {
    package var isRequired: Bool
    package var isUnique: Bool
    /// The value must survive the conversion to this type.
    package var type: AttributeType?

    package init(isRequired: Bool = false, isUnique: Bool = false, type: AttributeType? = nil) {
      self.isRequired = isRequired
      self.isUnique = isUnique
      self.type = type
    }
  }

  private struct Place: Hashable, Sendable {
    var entity: String
    var property: String
  }

  private var demands: [Place: Demand] = [:]

  package static let none = SeedDemands()

  package init() {}

  package subscript(entity: String, property: String) -> Demand {
    demands[Place(entity: entity, property: property)] ?? Demand()
  }

  /// Several demands on one property all hold.
  package mutating func add(_ demand: Demand, entity: String, property: String) {
    let place = Place(entity: entity, property: property)
    let known = demands[place] ?? Demand()
    demands[place] = Demand(
      isRequired: known.isRequired || demand.isRequired,
      isUnique: known.isUnique || demand.isUnique, type: known.type ?? demand.type)
  }
}

extension Model {
  /// All properties that some uniqueness constraint of the entity names, inherited ones too.
  package func uniqueProperties(of name: String) -> Set<String> {
    guard let entity = entity(named: name) else { return [] }
    return Set(([entity] + ancestors(of: entity)).flatMap(\.uniquenessConstraints).flatMap(\.self))
  }
}
