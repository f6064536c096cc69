package import SQLiteAccess
package import StoreLayout

/// Rows of extremes for every entity of a model: what migrations, exports and the like are tried on.
package struct SampleRows {
  private let layout: StoreLayout
  private let seeding: Seeding

  /// - Parameters:
  ///   - count: how many rows each concrete entity gets.
  ///   - demands: what the rows satisfy beside what the model demands.
  package init(
    _ layout: StoreLayout, count: Int, seed: UInt64, demands: SeedDemands = .none
  ) {
    self.layout = layout
    seeding = Seeding(
      counts: layout.model.evenCounts(count), seed: seed, style: .extreme, demands: demands)
  }

  /// Writes the rows into an empty store of the layout.
  ///
  /// - Throws: what `SeedPlan` and `SeedRun` throw.
  package func write(to connection: Connection) throws {
    let plan = try SeedPlan(seeding, in: layout, on: connection)
    _ = try SeedRun(plan, store: "").run(on: connection)
  }

  /// How many rows there are, of all entities.
  package var total: Int { seeding.counts?.values.reduce(0, +) ?? 0 }
}
