package import SQLiteAccess
package import StoreDiagnostics
package import StoreLayout
package import StoreModel

extension Store {
  /// Returns the layout of the model's tables in this store. It contains what can differ between stores of the same
  /// model, such as the numbers of entities. Later requests expect this layout.
  package func layout(
    for model: DataModel, configuration: StoreModel.ConfigurationDescription? = nil
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

  /// Returns the layout, unless the store lacks a part without which requests would fail or have wrong results.
  ///
  /// - Throws: `StoreLayoutError.incomplete`
  package func readableLayout(
    for model: DataModel, configuration: StoreModel.ConfigurationDescription? = nil
  ) throws -> StoreLayout {
    let layout = try layout(for: model, configuration: configuration)
    let gaps = gaps.filter(\.preventsReading)
    guard gaps.isEmpty else { throw StoreLayoutError.incomplete(path: path, lacks: gaps) }
    return layout
  }

  /// Returns the model version that wrote this store, or the differences from the closest candidate if no candidate
  /// did.
  package func version(among candidates: [VersionCandidate]) -> StoreVersion {
    let version = StoreVersion(of: metadata.hashes, among: candidates)
    guard case .unknown(var gap) = version else { return version }
    gap.identifiers = metadata.modelIdentifiers.filter { !$0.isEmpty }
    return .unknown(gap)
  }

  /// Returns the indices of the candidates that match this store, in ascending order.
  ///
  /// - Throws: `StoreLayoutError.unknownVersion` with the differences from the closest one.
  package func knownVersions(among candidates: [VersionCandidate]) throws(StoreLayoutError) -> [Int]
  {
    switch version(among: candidates) {
    case .known(let indexes): return indexes
    case .unknown(let gap): throw .unknownVersion(path: path, gap)
    }
  }
}

extension Store {
  /// Checks that the store contains all parts of the layout, and no triggers of other programs. A migration requires
  /// both, because it reads all tables of the model and creates the tables of the new version.
  ///
  /// - Parameters:
  ///   - layout: the layout of the model that wrote the store.
  ///   - schema: the schema of the store.
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
  /// Returns the compiled model that the store contains.
  ///
  /// - Throws: `DatabaseError`
  package func carriedModel() throws -> CarriedModel {
    try read { try CarriedModel(in: $0, hashes: metadata.hashes, name: modelName) }
  }

  /// The name for a model that doesn't contain its name, such as `App` for `App.sqlite`.
  package var modelName: String {
    let stem = "\(path.name)".prefix { $0 != "." }
    return stem.isEmpty ? "Store" : String(stem)
  }
}

extension Store {
  /// Returns the defect of the file that can be the reason why SQLite rejected a statement: a missing object, or an
  /// object that SQLite can't use. If the result is nil, the error is a bug in storetool.
  ///
  /// - Parameter error: the error of a statement on `connection`.
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
      // The statements that read the schema are correct, so their errors mean that the file is damaged.
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

/// The error if none of the available model versions wrote the store. The diagnostics also report versions that
/// couldn't be read. If no version could be read, they contain only those reports.
package struct UnknownVersion: DiagnosableError {
  package private(set) var diagnostics: [DiagnosticMessage]
  /// The difference to the closest version. Nil if no version could be read.
  package let gap: VersionGap?

  package var verdict: VersionGap.Verdict? { gap?.verdict }

  /// - Parameter others: a matcher of all versions, if `matcher` compares only the version that the user specified.
  package init(_ store: Store, _ matcher: VersionMatcher, others: VersionMatcher? = nil) {
    guard !matcher.readNothing else {
      (diagnostics, gap) = (matcher.unreadable, nil)
      return
    }
    guard case .unknown(var found) = store.version(among: matcher.candidates) else {
      (diagnostics, gap) = ([], nil)
      return
    }
    if matcher.versionName != nil { found.requested = matcher.candidates.first?.name }
    if let others {
      switch store.version(among: others.candidates) {
      case .known(let indices): found.writer = indices.first.map { others.candidates[$0].name }
      case .unknown(let gapOfAll): found.verdictOfAll = gapOfAll.verdict
      }
    }
    gap = found
    let error = StoreLayoutError.unknownVersion(path: store.path, found)
    // A version that can't be read may be the right one.
    diagnostics = matcher.unreadableNotes + error.diagnostics
  }

  /// Returns the error with an additional remedy.
  package func helping(_ sentence: String) -> UnknownVersion {
    guard let index = diagnostics.firstIndex(where: { $0.severity == .error }) else { return self }
    var copy = self
    copy.diagnostics[index] = diagnostics[index].helping(.text(sentence))
    return copy
  }

  /// Returns the error with a warning before its diagnostics.
  ///
  /// - Parameter warning: the reason why the model in the store can't be used.
  package func adding(_ warning: DiagnosticMessage) -> UnknownVersion {
    var copy = self
    copy.diagnostics.insert(warning, at: 0)
    return copy
  }
}
