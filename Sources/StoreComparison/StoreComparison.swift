package import RecordFormats
package import SQLiteAccess
package import StoreCore
package import StoreDiagnostics
import StoreLayout

/// What differs between two stores, or between a store and itself at an earlier time.
///
/// Both are read in one order, at the same time and some batches ahead, so that memory does not grow with them.
package struct StoreComparison {
  private let plan: ComparisonPlan
  private let cancellation: Cancellation

  package init(_ plan: ComparisonPlan, cancellation: Cancellation = .ofProcess) {
    self.plan = plan
    self.cancellation = cancellation
  }

  /// Compares all rows, an entity after the other.
  ///
  /// Each store's connection is lent to a thread of its own, which has ended when this returns or throws.
  ///
  /// - Parameters:
  ///   - old: of another connection than `new`.
  ///   - progress: called now and then with the rows read so far, of both stores.
  ///   - visit: gets each difference; nil where only their numbers are wanted.
  /// - Throws: `ComparisonError.ambiguousKey` before the first difference; what `visit` throws; `DatabaseError`;
  ///   `Cancelled`.
  package func run(
    _ old: ComparedStore, _ new: ComparedStore, progress: (Int) -> Void = { _ in },
    visit: ((RowDifference) throws -> Void)? = nil
  ) throws -> ComparisonSummary {
    try withoutActuallyEscaping(progress) { progress in
      // In the order of keys, and to partners and members, reading jumps about in the store.
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

  /// What the plan leaves out, with the rows of entities that only one store has.
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

/// One of the two stores, while its rows are read.
package struct ComparedStore {
  let connection: Connection
  /// What rows need to be written out; its folder is that of the store's large values.
  let context: RowContext

  package init(_ connection: Connection, _ context: RowContext) {
    self.connection = connection
    self.context = context
  }
}

/// How many rows differ, and in what.
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
    /// Rows whose key lacks a value: those of the older store count as removed, those of the newer as added.
    package var withoutKey = 0
    /// In how many rows a property differs, in the order of the properties.
    package var properties: [PropertyCount] = []

    package var differences: Int { added + removed + changed }
  }

  package struct PropertyCount: Hashable, Sendable {
    package var property: String
    package var changed: Int
  }

  package var differences: Int { entities.reduce(0) { $0 + $1.differences } }
}

/// A row that only one store has, or that is not the same in both.
package struct RowDifference {
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    case added, removed, changed
  }

  package let kind: Kind
  package let entity: ComparedEntity
  /// The indexes of the entity's properties that differ; all of them where only one store has the row.
  package let properties: [Int]
  /// As the older store has it.
  package let old: Row?
  /// As the newer store has it.
  package let new: Row?

  /// A row of one store, good until the next difference: its object ID, then the entity's properties.
  package struct Row {
    package let rows: PackedRows
    package let shape: RowShape

    /// The column of a property.
    package static func column(ofProperty index: Int) -> Int { index + 1 }
  }
}
