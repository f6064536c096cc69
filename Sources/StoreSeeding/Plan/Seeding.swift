#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

package import StoreModel

/// A wish for made-up rows.
package struct Seeding: Hashable, Sendable {
  package enum Style: Hashable, Sendable {
    /// As an app's users might have written them.
    case plausible
    /// The ends of each type's range, odd texts, gaps between keys: what finds mistakes. What the model asks and
    /// can't be had is left out, in place of an error.
    case extreme
  }

  /// How many rows of each entity; nil for some of all.
  package var counts: [String: Int]?
  /// Equal seeds make equal rows, for the same model and the same store.
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

  /// Of a store that is made for the rows, so that equal seeds make equal object IDs, too.
  package func storeUUID(of model: Model) -> String {
    let wish = (counts ?? [:]).sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    var random = SeedRandom(
      seed: seed, name: ([model.name] + model.entities.map(\.name) + wish).joined(separator: " "))
    return UUID.seeded(random.next(), random.next()).uuidString
  }

  /// How many rows each concrete entity gets where nothing is said; more where others need them.
  static let defaultCount = 100
}

extension Model {
  /// Each entity that can have rows with the same count.
  package func evenCounts(_ count: Int) -> [String: Int] {
    let concrete = entities.filter { !$0.isAbstract }.map { ($0.name, count) }
    return Dictionary(concrete, uniquingKeysWith: { first, _ in first })
  }
}

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
