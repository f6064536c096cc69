import SQLiteAccess
import StoreDiagnostics
package import StoreLayout
package import StoreModel

extension Store {
  /// Where the model's rows lie in this store, its own choices included.
  package func layout(
    for model: Model, configuration: StoreModel.Configuration? = nil
  ) throws -> StoreLayout {
    let schema: StoreSchema
    do {
      schema = try read { try $0.schema() }
    } catch let error as DatabaseError {
      throw error.asDamage
    }
    let layout = StoreLayout(model: model, configuration: configuration, in: schema)
    note(layout.gaps(in: schema, framework: metadata.frameworkVersion), of: layout)
    return layout
  }

  /// The same for requests, which must not be answered from what only looks like a table.
  ///
  /// - Throws: `StoreLayoutError.incomplete`
  package func readableLayout(
    for model: Model, configuration: StoreModel.Configuration? = nil
  ) throws -> StoreLayout {
    let layout = try layout(for: model, configuration: configuration)
    let gaps = gaps.filter(\.preventsReading)
    guard gaps.isEmpty else { throw StoreLayoutError.incomplete(path: path, lacks: gaps) }
    return layout
  }

  /// Which of the candidates wrote this store.
  package func version(among candidates: [VersionCandidate]) -> StoreVersion {
    let version = StoreVersion(of: metadata.hashes, among: candidates)
    guard case .unknown(var gap) = version else { return version }
    gap.identifiers = metadata.modelIdentifiers.filter { !$0.isEmpty }
    return .unknown(gap)
  }

  /// The indexes of the candidates that wrote this store, in their order.
  ///
  /// - Throws: `StoreLayoutError.unknownVersion` with what differs from the closest one.
  package func knownVersions(among candidates: [VersionCandidate]) throws(StoreLayoutError) -> [Int]
  {
    switch version(among: candidates) {
    case .known(let indexes): return indexes
    case .unknown(let gap): throw .unknownVersion(path: path, gap)
    }
  }
}

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

extension Store {
  /// The model that the store carries.
  ///
  /// - Throws: `DatabaseError`
  package func carriedModel() throws -> CarriedModel {
    try read { try CarriedModel(in: $0, hashes: metadata.hashes, name: modelName) }
  }

  /// What a model is called that has no name of its own: `App` for `App.sqlite`.
  package var modelName: String {
    let stem = "\(path.name)".prefix { $0 != "." }
    return stem.isEmpty ? "Store" : String(stem)
  }
}
