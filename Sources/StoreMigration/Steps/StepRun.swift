import SQLiteAccess
import StoreDiagnostics
import StoreCore
import StoreEngine
import StoreLayout
import StoreModel

/// Runs custom steps in the transaction of a migration.
struct StepRun {
  let store: Store
  let connection: Connection
  let steps: [CustomStep]
  let cancellation: Cancellation
  /// The external files to delete after the commit.
  private(set) var obsoleteFiles: [String] = []

  func step(of plan: MigrationPlan) -> CustomStep? {
    steps.step(of: plan.mapping.definition?.step)
  }

  /// Copies the rows of a plan's source into temporary tables, if the plan has a custom step. Call this before the
  /// plan's statements.
  ///
  /// - Throws: `DatabaseError` if the rows can't be copied.
  func keepRows(before plan: MigrationPlan) throws {
    guard step(of: plan) != nil else { return }
    for table in Self.tables(of: plan.source) {
      try connection.define(
        "CREATE TEMP TABLE \(name: ScratchName.before(table)) AS SELECT * FROM main.\(name: table)")
    }
    for table in plan.source.tables {
      let kept = ScratchName.before(table.name)
      try connection.define(
        """
        CREATE UNIQUE INDEX temp.\(name: kept + "_KEY") ON \(name: kept) \
        (\(name: FixedColumn.primaryKey))
        """)
    }
  }

  /// Runs the plan's custom step, if it has one. Call this after the plan's statements.
  ///
  /// - Throws: errors of the custom step, `StoreError`, and `DatabaseError`.
  mutating func run(behind plan: MigrationPlan) throws {
    guard let step = step(of: plan) else { return }
    let before = PersistentStore(
      within: store, layout: plan.source.renamingTables(ScratchName.before))
    let after = PersistentStore(within: store, layout: plan.target)
    obsoleteFiles += try store.transact(within: connection, cancellation: cancellation) { open in
      let old = StoreSnapshot(of: before, on: connection, cancellation)
      let new = StoreTransaction(open, of: after)
      defer {
        old.end()
        new.end()
      }
      try step.body(StepContext(old: old, new: new, moves: plan.moves))
      // The step may have caught an error that ended the transaction.
      try new.requireOpen()
    }
    for table in Self.tables(of: plan.source) {
      try connection.define("DROP TABLE temp.\(name: ScratchName.before(table))")
    }
  }

  private static func tables(of layout: StoreLayout) -> [String] {
    layout.tables.map(\.name) + layout.joinTables.map(\.name)
  }
}
