package import StoreModel

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

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
