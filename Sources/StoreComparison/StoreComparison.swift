package import RecordFormats
package import SQLiteAccess
package import StoreCore
package import StoreDiagnostics
import StoreLayout

/// Compares two stores.
///
/// Both stores are read concurrently in the same order and a few batches ahead, so that the required memory doesn't
/// depend on their size.
package struct StoreComparison {
  private let plan: ComparisonPlan
  private let cancellation: Cancellation

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
    visit: ((RowDifference) throws -> Void)? = nil
  ) throws -> ComparisonSummary {
    try withoutActuallyEscaping(progress) { progress in
      // Matching by key requires a larger cache, because it reads the pages of rows and destinations in random order.
      let isByKey = plan.entities.contains { $0.matching != .objectID }
      for store in [old, new] { try store.connection.setPageCache(isByKey ? .wide : .usual) }
      var summary = ComparisonSummary(leftOut: try leftOut(old, new))
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
  private func leftOut(_ old: ComparedStore, _ new: ComparedStore) throws -> [LeftOut] {
    try plan.leftOut.map { left in
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

/// The numbers of rows that differ, by entity, and of changed values, by property.
package struct ComparisonSummary: Hashable, Sendable {
  package var entities: [EntityCounts] = []
  package var leftOut: [LeftOut] = []

  package struct EntityCounts: Hashable, Sendable {
    package var entity: String
    package var matching: RowMatching
    package var oldRows = 0
    package var newRows = 0
    package var added = 0
    package var removed = 0
    package var changed = 0
    /// The number of rows without a complete key. They count as removed if they are in the older store, and as added if
    /// they are in the newer store.
    package var withoutKey = 0
    /// For each property, the number of rows in which it differs. Properties without differences may be missing.
    package var properties: [PropertyCount] = []

    package var differences: Int { added + removed + changed }
  }

  package struct PropertyCount: Hashable, Sendable {
    package var property: String
    package var changed: Int
  }

  package var differences: Int { entities.reduce(0) { $0 + $1.differences } }
}

/// A row that only one store has, or that differs between the stores.
package struct RowDifference {
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    case added, removed, changed
  }

  package let kind: Kind
  package let entity: ComparedEntity
  /// The indexes of the entity's properties that differ. If only one store has the row, the indexes of all properties
  /// whose values are available.
  package let properties: [Int]
  /// The row of the older store; nil if the row was added, or if a history doesn't contain its earlier values.
  package let old: Row?
  /// The row of the newer store; nil if the row was removed.
  package let new: Row?

  /// A row of one store, which is valid until the next difference. It contains its object ID, then the entity's
  /// properties.
  package struct Row {
    package let rows: PackedRows
    package let shape: RowShape

    package static func column(ofProperty index: Int) -> Int { index + 1 }
  }
}
