import StoreLayout
package import StoreCore

/// Turns the mappings along a path into as few plans as can be.
package enum MigrationAssembly {
  /// Neighbours that can be one mapping become one, so that rows are visited once.
  ///
  /// - Parameters:
  ///   - mappings: each begins at the version where the one before it ends.
  ///   - store: of the first mapping's source version; only read.
  /// - Throws: `CheckErrors` of a definition, `DatabaseError`, also for a store that lacks what its model needs.
  package static func plans(
    _ mappings: [ModelMapping], for store: Store
  ) throws -> [MigrationPlan] {
    guard let first = mappings.first else { return [] }
    return try plans(
      joined(mappings), from: SourceStore(store, of: first.source),
      storeUUID: store.metadata.uuid)
  }

  /// A plan for each mapping.
  ///
  /// - Parameter source: what the store holds before the first.
  /// - Throws: as above.
  static func plans(
    _ mappings: [ModelMapping], from source: SourceStore, storeUUID: String
  ) throws -> [MigrationPlan] {
    var source = source
    return try mappings.map { mapping in
      let target = StoreLayout(model: mapping.target)
      let plan = try MigrationPlanner.plan(
        mapping, from: source, to: target, storeUUID: storeUUID)
      source = source.after(plan)
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
