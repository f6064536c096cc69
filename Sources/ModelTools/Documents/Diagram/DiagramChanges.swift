package import StoreModel

/// What is to be marked in the picture of a model: how it differs from another version.
package struct DiagramChanges: Hashable, Sendable {
  /// What is in the other version only, with the entity of the picture that it would be in.
  package enum Removal: Hashable, Sendable {
    case entity(Entity)
    case attribute(Attribute, of: String)
    case relationship(Relationship, of: String)
    case fetchedProperty(FetchedProperty, of: String)
    case composite(Composite)
  }

  /// The version before.
  package let source: Model
  /// The names of its entities in the version of the picture, for those that are in both.
  package let entityNames: [String: String]
  /// Entities, properties and composites that are new, or not as they were.
  package private(set) var marks: [ModelPart: ChangeMark] = [:]
  package private(set) var removals: [Removal] = []

  package init(from source: Model, entityNames: [String: String]) {
    self.source = source
    self.entityNames = entityNames
  }

  /// What is new stays that, whatever else is said of it.
  package mutating func mark(_ part: ModelPart, _ mark: ChangeMark) {
    if marks[part] != .added { marks[part] = mark }
  }

  package mutating func remove(_ removal: Removal) {
    removals.append(removal)
  }
}
