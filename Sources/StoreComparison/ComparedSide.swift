package import StoreCore
package import StoreDiagnostics
package import StoreLayout
import StoreEngine
package import SQLiteAccess

/// An open store to compare, and its layout.
package struct ComparedSide: Sendable {
  package let store: Store
  package let layout: StoreLayout
  /// Counts the values whose files can't be read.
  package let unread = UnreadValues()

  package init(_ store: Store, _ layout: StoreLayout) {
    self.store = store
    self.layout = layout
  }

  package func compared(_ connection: Connection) -> ComparedStore {
    ComparedStore(
      connection,
      RowContext(
        layout: layout, store: store.metadata.uuid,
        externalFolder: ExternalFolder(path: store.externalDataFolder, counting: unread)))
  }

  /// The number of values whose files couldn't be read.
  fileprivate var unreadCount: Int {
    unread.counts.missing + unread.counts.notFollowed + unread.counts.unreadable
  }
}

extension ComparisonPlan {
  /// Creates the plan for two stores.
  ///
  /// - Throws: `ComparisonError` if an entity or property doesn't exist, or if a key is missing or invalid.
  package init(
    _ old: ComparedSide, _ new: ComparedSide, by rules: ComparisonRules
  ) throws(ComparisonError) {
    let isOneStore = old.store.metadata.uuid == new.store.metadata.uuid
    try self.init(
      old.layout, new.layout,
      by: MatchingRules(
        rest: rules.matching ?? (isOneStore ? .objectID : .uniqueKey), keys: rules.keys),
      of: Choice(entities: rules.entities, ignored: rules.ignored))
  }

  /// Creates the plan for the changes of one store.
  ///
  /// - Parameter rules: the entities and properties. Rows are always matched by object ID.
  /// - Throws: `ComparisonError` if an entity or property doesn't exist.
  package init(
    changesOf side: ComparedSide, by rules: ComparisonRules
  ) throws(ComparisonError) {
    try self.init(
      side.layout, side.layout, by: MatchingRules(rest: .objectID),
      of: Choice(entities: rules.entities, ignored: rules.ignored))
  }
}

extension StoreComparison {
  /// Compares all rows of two stores in one read transaction of each store.
  ///
  /// - Parameters:
  ///   - progress: a function that is called from time to time with the number of rows read so far in both stores.
  ///   - visit: a function that is called with each difference; nil to only count the differences.
  /// - Throws: `ComparisonError.ambiguousKey` before the first difference, errors of `visit`, `DatabaseError`, and
  ///   `Cancelled`.
  package func run(
    _ old: ComparedSide, _ new: ComparedSide, progress: (Int) -> Void = { _ in },
    visit: ((VisitedDifference) throws -> Void)? = nil
  ) throws -> ComparisonSummary {
    try old.store.read(cancellation: cancellation) { one in
      try new.store.read(cancellation: cancellation) { other in
        let stray =
          try old.layout.strayRows(beside: plan.entities.map(\.old), on: one)
          + new.layout.strayRows(beside: plan.entities.map(\.new), on: other)
        var summary = try run(
          old.compared(one), new.compared(other), progress: progress, visit: visit)
        summary.strayRows = stray
        summary.unreadableValueCount = old.unreadCount + new.unreadCount
        return summary
      }
    }
  }
}

extension HistoryComparison {
  /// Compares the current rows of a store with an earlier state in one read transaction.
  ///
  /// - Parameters:
  ///   - progress: a function that is called from time to time with the number of changes read so far.
  ///   - visit: a function that is called with each difference; nil to only count the differences.
  /// - Returns: the summary, and a warning if the history may be incomplete.
  /// - Throws: `StoreLayoutError.noHistory`, `HistoryTokenError`, errors of `visit`, `DatabaseError`, and `Cancelled`.
  package func run(
    _ side: ComparedSide, progress: (Int) -> Void = { _ in },
    visit: ((VisitedDifference) throws -> Void)? = nil
  ) throws -> (summary: ComparisonSummary, warning: DiagnosticMessage?) {
    try side.store.read(cancellation: cancellation) { connection in
      var summary = try run(side.compared(connection), progress: progress, visit: visit)
      summary.unreadableValueCount = side.unreadCount
      return (summary, try HistoryLog(connection).warning(since: bound))
    }
  }
}
