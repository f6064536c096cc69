package import SQLiteAccess
package import StoreLayout

/// Rows with extreme values for each entity of a model, for dry runs of migrations and exports.
package struct SampleRows {
  private let layout: StoreLayout
  private let seeding: Seeding

  /// - Parameters:
  ///   - count: The number of rows of each concrete entity.
  ///   - demands: Additional rules for the rows.
  package init(
    _ layout: StoreLayout, count: Int, seed: UInt64, demands: SeedDemands = .none
  ) {
    self.layout = layout
    seeding = Seeding(
      counts: layout.model.evenCounts(count), seed: seed, style: .extreme, demands: demands)
  }

  /// Inserts the rows into an empty store with the layout.
  ///
  /// - Throws: The errors of `SeedPlan` and `SeedRun`.
  package func write(to connection: Connection) throws {
    let plan = try SeedPlan(seeding, in: layout, on: connection)
    _ = try SeedRun(plan, store: "").run(on: connection)
  }

  /// The number of rows of all entities.
  package var total: Int { seeding.counts?.values.reduce(0, +) ?? 0 }
}
