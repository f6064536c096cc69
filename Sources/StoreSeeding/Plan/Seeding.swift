#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

package import StoreModel

/// A request for generated rows.
package struct Seeding: Hashable, Sendable {
  package enum Style: Hashable, Sendable {
    /// Values that users of an app might have entered.
    case plausible
    /// Rows that help to find errors: values at the bounds of each type, unusual texts, and gaps between keys. They can
    /// violate rules of the model, such as regular expressions.
    case extreme
  }

  /// The number of rows of each entity, or nil for rows of all entities.
  package var counts: [String: Int]?
  /// The same seed creates the same rows for the same request, model and store.
  package var seed: UInt64
  package var style: Style
  package var demands: SeedDemands

  package init(
    counts: [String: Int]? = nil, seed: UInt64 = 1, style: Style = .plausible,
    demands: SeedDemands = .none
  ) {
    self.counts = counts
    self.seed = seed
    self.style = style
    self.demands = demands
  }

  /// Returns the UUID of a store that is created for the rows. It is derived from the names of the model and its
  /// entities, `counts` and `seed`, so that the same request results in the same object IDs.
  package func storeUUID(of model: DataModel) -> String {
    let wish = (counts ?? [:]).sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    var random = SeedRandom(
      seed: seed, name: ([model.name] + model.entities.map(\.name) + wish).joined(separator: " "))
    return UUID.seeded(random.next(), random.next()).uuidString
  }

  /// The default number of rows of each concrete entity. An entity has more rows if others require them, and fewer if
  /// it doesn't have enough unique values.
  static let defaultCount = 100
}

extension DataModel {
  /// Returns the same number of rows for each entity that isn't abstract.
  package func evenCounts(_ count: Int) -> [String: Int] {
    let concrete = entities.filter { !$0.isAbstract }.map { ($0.name, count) }
    return Dictionary(concrete, uniquingKeysWith: { first, _ in first })
  }
}

/// Additional rules for rows, such as the rules that a migration requires.
package struct SeedDemands: Hashable, Sendable {
  package struct Demand: Hashable, Sendable {
    package var isRequired: Bool
    package var isUnique: Bool
    /// A type that the value must be convertible to.
    package var type: AttributeType?

    package init(isRequired: Bool = false, isUnique: Bool = false, type: AttributeType? = nil) {
      self.isRequired = isRequired
      self.isUnique = isUnique
      self.type = type
    }
  }

  private var demands: [SeededProperty: Demand] = [:]

  package static let none = SeedDemands()

  package init() {}

  package subscript(entity: String, property: String) -> Demand {
    demands[SeededProperty(entity: entity, property: property)] ?? Demand()
  }

  /// Adds a rule. Several rules for one property are combined; of several types, the first one is used.
  package mutating func add(_ demand: Demand, entity: String, property: String) {
    let place = SeededProperty(entity: entity, property: property)
    let known = demands[place] ?? Demand()
    demands[place] = Demand(
      isRequired: known.isRequired || demand.isRequired,
      isUnique: known.isUnique || demand.isUnique, type: known.type ?? demand.type)
  }
}

/// A property of an entity, declared or inherited.
struct SeededProperty: Hashable, Sendable {
  var entity: String
  var property: String
}

extension DataModel {
  /// Returns all properties in uniqueness constraints that the entity declares or inherits.
  package func uniqueProperties(of name: String) -> Set<String> {
    guard let entity = entity(named: name) else { return [] }
    return Set(([entity] + ancestors(of: entity)).flatMap(\.uniquenessConstraints).flatMap(\.self))
  }
}
