package import StoreCore

extension DeletionStrategy {
  /// Chooses `way` for each table that it fits, and the usual one for others.
  package static func preferring(_ way: DeletionStrategy?) -> (Facts) -> DeletionStrategy {
    { facts in
      guard let way, way != .everything, facts.deleted < facts.rows,
        !(way == .survivors && facts.hasTriggers)
      else { return DeletionStrategy(facts) }
      return way
    }
  }
}
