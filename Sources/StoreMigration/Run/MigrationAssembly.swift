import StoreLayout
package import StoreEngine

/// Turns the mappings along a path into as few plans as can be.
package enum MigrationAssembly {
  /// Neighbours that can be one mapping become one, so that rows are visited once.
  ///
  /// - Parameters:
  ///   - mappings: each begins at the version where the one before it ends.
  ///   - store: of the first mapping's source version; only read.
  /// - Throws: `CheckFailure` of a definition, `DatabaseError`, also for a store that lacks what its model needs.
  package static func plans(
    _ mappings: [ModelMapping], for store: Store
  ) throws -> [MigrationPlan] {
    guard let first = mappings.first else { return [] }
    var catalogue = try StoreCatalogue(of: store)
    var source = StoreLayout(model: first.source, in: catalogue.schema)
    try store.requireWhole(for: source)
    let hasModelCache = catalogue.hasModelCache
    let foreign = catalogue.foreignNames(besides: source)
    return try joined(mappings).map { mapping in
      let target = StoreLayout(model: mapping.target)
      let plan = try MigrationPlanner.plan(
        mapping, from: source, catalogue, to: target, storeUUID: store.metadata.uuid)
      catalogue = StoreCatalogue(
        of: target, besides: foreign, highestKeys: plan.highestKeys,
        tombstoneCount: catalogue.tombstoneCount.map { max($0, target.tombstoneCount) },
        hasModelCache: hasModelCache)
      source = target
      return plan
    }
  }

  private static func joined(_ mappings: [ModelMapping]) -> [ModelMapping] {
    mappings.reduce(into: []) { joined, next in
      if let last = joined.last, let both = last.followed(by: next) {
        joined[joined.count - 1] = both
      } else {
        joined.append(next)
      }
    }
  }
}
