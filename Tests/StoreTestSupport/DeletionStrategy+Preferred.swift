package import StoreCore

extension DeletionStrategy {
  /// Uses `way` for each table for which it is possible, and the usual strategy for others.
  package static func preferring(_ way: DeletionStrategy?) -> (Facts) -> DeletionStrategy {
    { facts in
      guard let way, way != .everything, facts.deleted < facts.rows,
        !(way == .survivors && facts.hasTriggers)
      else { return DeletionStrategy(facts) }
      return way
    }
  }
}
