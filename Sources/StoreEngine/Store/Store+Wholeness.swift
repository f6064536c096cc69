package import StoreLayout

extension Store {
  /// For a migration, which passes through every table of the model and makes those of the new version out of them.
  ///
  /// - Parameter layout: of the model that wrote the store.
  /// - Throws: `StoreError.incomplete`, `StoreError.foreignTrigger`
  package func requireWhole(for layout: StoreLayout) throws {
    try read { connection in
      let gaps = try layout.gaps(in: connection.schema()).filter { !$0.isHarmless }
      guard gaps.isEmpty else { throw StoreError.incomplete(path: path, lacks: gaps) }
      let own = Set(layout.tables.map(\.name) + layout.joinTables.map(\.name) + FixedTable.all)
      guard let trigger = try connection.foreignTriggers().first(where: { own.contains($0.table) })
      else { return }
      throw StoreError.foreignTrigger(path: path, name: trigger.name, table: trigger.table)
    }
  }
}
