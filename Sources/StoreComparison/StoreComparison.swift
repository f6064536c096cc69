package import SQLiteAccess
package import StoreCore
package import StoreDiagnostics
import StoreLayout

/// Compares two stores.
///
/// Both stores are read concurrently in the same order and a few batches ahead, so that the required memory doesn't
/// depend on their size.
package struct StoreComparison {
  let plan: ComparisonPlan
  let cancellation: Cancellation

  package init(_ plan: ComparisonPlan, cancellation: Cancellation = .ofProcess) {
    self.plan = plan
    self.cancellation = cancellation
  }

  /// Compares all rows, one entity after the other.
  ///
  /// Separate threads use the connections of the stores. They have ended when this method returns or throws.
  ///
  /// - Parameters:
  ///   - old: the older store, with another connection than `new`.
  ///   - progress: a function that is called from time to time with the number of rows read so far in both stores.
  ///   - visit: a function that is called with each difference; nil to only count the differences.
  /// - Throws: `ComparisonError.ambiguousKey` before the first difference, errors of `visit`, `ExternalValueMissing`,
  ///   `DatabaseError`, and `Cancelled`.
  package func run(
    _ old: ComparedStore, _ new: ComparedStore, progress: (Int) -> Void = { _ in },
    visit: ((VisitedDifference) throws -> Void)? = nil
  ) throws -> ComparisonSummary {
    try withoutActuallyEscaping(progress) { progress in
      // Matching by key requires a larger cache, because it reads the pages of rows and destinations in random order.
      let isByKey = plan.entities.contains { $0.matching != .objectID }
      for store in [old, new] { try store.connection.setPageCache(isByKey ? .wide : .usual) }
      var summary = ComparisonSummary(omitted: try omitted(old, new))
      var done = 0
      let comparisons = plan.entities.map { entity in
        EntityComparison(
          entity, in: plan, old, new, visit: visit,
          progress: { [cancellation] count in
            try cancellation.check()
            progress(done + count)
          })
      }
      for comparison in comparisons { try comparison.check() }
      for var comparison in comparisons {
        try comparison.run()
        summary.entities.append(comparison.counts)
        done += comparison.counts.oldRows + comparison.counts.newRows
      }
      return summary
    }
  }

  /// Returns the parts that aren't compared, with the numbers of rows of entities that only one store has.
  private func omitted(_ old: ComparedStore, _ new: ComparedStore) throws -> [OmittedPart] {
    try plan.omitted.map { left in
      guard left.property == nil else { return left }
      let (store, layout) = left.reason == .onlyInOld ? (old, plan.old) : (new, plan.new)
      var counted = left
      if let entity = layout.concreteEntity(named: left.entity) {
        counted.rowCount = try store.connection.integer(
          """
          SELECT count(*) FROM \(name: entity.table) \
          WHERE \(.name(FixedColumn.entity)) = \(value: .integer(entity.number))
          """)
      }
      return counted
    }
  }
}

/// One of the compared stores.
package struct ComparedStore {
  let connection: Connection
  /// The context for formatting rows, with the folder of the store's external files.
  let context: RowContext

  package init(_ connection: Connection, _ context: RowContext) {
    self.connection = connection
    self.context = context
  }
}
