package import SQLiteAccess
package import StoreDiagnostics
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

extension Store {
  /// What of the file is to blame when SQLite has refused a statement of ours: something that it lacks and the statement
  /// may need, or holds and SQLite itself can't use. Nil where nothing is: the mistake is ours.
  ///
  /// - Parameter error: what a statement on `connection` has thrown.
  /// - Throws: `DatabaseError`
  package func blame(
    for error: DatabaseError, _ connection: Connection
  ) throws(DatabaseError) -> StoreLayoutError? {
    guard case .sql = error else { return nil }
    do {
      let schema = try connection.schema()
      let gaps = schema.fixedGaps + gaps(in: schema).filter { !$0.isHarmless }
      if !gaps.isEmpty { return .incomplete(path: path, lacks: gaps.removingDuplicates) }
      var unusable = try (connection.unusableTables() + connection.unusableViews()).first
      if unusable == nil { unusable = try connection.firstUncompilableTable() }
      return unusable.map {
        .unreadableTable(path: path, name: $0.name, message: $0.words)
      }
    } catch {
      // Our statements over the schema are right.
      throw error.asDamage
    }
  }
}

extension [SchemaGap] {
  fileprivate var removingDuplicates: [SchemaGap] {
    var seen: Set<SchemaGap> = []
    return filter { seen.insert($0).inserted }
  }
}

/// A store of no model version at hand, with the versions that could not be looked at; where none could,
/// their mistakes alone.
package struct UnknownVersion: DiagnosableError {
  package let diagnostics: [Diagnostic]
  /// Nil where no version could be looked at.
  package let verdict: VersionGap.Verdict?

  package init(_ store: Store, _ matcher: VersionMatcher) {
    guard !matcher.readNothing else {
      (diagnostics, verdict) = (matcher.unreadable, nil)
      return
    }
    guard case .unknown(let gap) = store.version(among: matcher.candidates) else {
      (diagnostics, verdict) = ([], nil)
      return
    }
    verdict = gap.verdict
    let error = StoreLayoutError.unknownVersion(path: store.path, gap)
    diagnostics = error.diagnostics + matcher.unreadableNotes
  }

  private init(_ diagnostics: [Diagnostic], _ verdict: VersionGap.Verdict?) {
    self.diagnostics = diagnostics
    self.verdict = verdict
  }

  /// With one more thing to do about it.
  package func helping(_ sentence: String) -> UnknownVersion {
    guard let first = diagnostics.first else { return self }
    return UnknownVersion([first.helping(sentence)] + diagnostics.dropFirst(), verdict)
  }

  /// - Parameter warning: why the model that the store carries is no help.
  package func adding(_ warning: Diagnostic) -> UnknownVersion {
    UnknownVersion([warning] + diagnostics, verdict)
  }
}
