import SQLiteAccess
package import StoreLayout

extension Store {
  /// For a migration, which passes through every table of the model and makes those of the new version out of them.
  ///
  /// - Parameters:
  ///   - layout: of the model that wrote the store.
  ///   - schema: the store's.
  /// - Throws: `StoreLayoutError.incomplete`, `StoreLayoutError.foreignTrigger`
  package func requireWhole(for layout: StoreLayout, in schema: StoreSchema)
    throws(StoreLayoutError)
  {
    let gaps = layout.gaps(in: schema).filter { !$0.isHarmless }
    guard gaps.isEmpty else { throw .incomplete(path: path, lacks: gaps) }
    let own = Set(layout.tables.map(\.name) + layout.joinTables.map(\.name) + FixedTable.all)
    guard let trigger = schema.database.triggers.foreign.first(where: { own.contains($0.table) })
    else { return }
    throw .foreignTrigger(path: path, name: trigger.name, table: trigger.table)
  }
}
