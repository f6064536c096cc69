import SQLiteAccess
import StoreCore
import StoreDiagnostics
import StoreLayout
import StoreMigration
import StoreModelReader
import StoreVerification

/// Functions for reading a store of an unknown version with the closest available version.
extension Workspace {
  /// Returns the available version that is closest to the store's version, without the properties that the store lacks.
  ///
  /// - Throws: `UnknownVersion` if the store has another model or no version hashes, or an error of reading the store
  ///   or a model.
  func closestModel(to store: Store) throws -> FoundModel {
    let hashes = store.metadata.hashes
    var near: [ClosestCandidate] = []
    var last = VersionMatcher(hashes: hashes)
    for versions in try self.versions() {
      var matcher = VersionMatcher(hashes: hashes, versionName: named.modelVersion)
      _ = try matcher.match(in: versions.hashed)
      last = matcher
      guard VersionGap(of: hashes, among: matcher.candidates).verdict.isNear else { continue }
      near += matcher.candidates.map { candidate in
        ClosestCandidate(
          candidate: candidate, gap: VersionGap(of: hashes, among: [candidate]), versions: versions)
      }.filter(\.gap.verdict.isNear)
    }
    guard let least = near.map(\.gap.differences.count).min() else {
      throw UnknownVersion(store, last)
    }
    let schema = try store.read { try $0.schema() }
    // If several versions have the same number of different hashes, the version that is most similar to the store's
    // tables is chosen.
    let found = try near.filter { $0.gap.differences.count == least }.map { near in
      let model = try FoundModel(near.candidate, of: near.versions)
      let reduced = ReducedModel(
        model.model, configuration: model.configuration, to: schema, having: hashes.keys.exact)
      return (near.gap, model, reduced)
    }
    guard let best = found.min(by: { $0.2.differenceCount < $1.2.differenceCount }) else {
      throw UnknownVersion(store, last)
    }
    return try FoundModel(closest: best.1, best.0, best.2, to: store.path)
  }

  /// Returns the closest version; nil if `--closest` isn't specified. If no version is close, this function prints a
  /// note and returns nil.
  func nearModel(to store: Store) throws -> FoundModel? {
    guard readsClosest else { return nil }
    do {
      return try closestModel(to: store)
    } catch let error as any DiagnosableError {
      Terminal.report(error.diagnostics.map { $0.asNote("no version is similar") })
      return nil
    }
  }

  /// Returns the error with hints: to omit `--model-version` if another version wrote the store, and to add `--closest`
  /// if the command has this option and a similar version is available.
  func advising(_ error: UnknownVersion) -> UnknownVersion {
    var advised = error
    let writer = error.gap?.writer
    if let writer {
      advised = error.helping("it was written by '\(writer)': omit --model-version")
    }
    guard error.verdict?.isNear == true, acceptsClosest, !readsClosest else { return advised }
    let closest = ClosestOption.name
    guard let requested = error.gap?.requested else {
      return advised.helping("to read the store anyway, with the closest version: \(closest)")
    }
    return advised.helping(
      writer == nil
        ? "to read the store anyway, as '\(requested)': \(closest)"
        : "or add \(closest) to read the store as '\(requested)'")
  }
}

/// A version that may be the closest one.
private struct ClosestCandidate {
  var candidate: VersionCandidate
  /// The differences between the hashes of the store and of the version.
  var gap: VersionGap
  var versions: VersionsAtHand
}

extension FoundModel {
  /// Creates the model of the closest version without the properties that the store lacks.
  fileprivate init(
    closest found: FoundModel, _ gap: VersionGap, _ reduced: ReducedModel, to path: LocalPath
  ) throws {
    let bundle = ModelBundle(of: reduced.model, from: found.bundle.path)
    try self.init(bundle.versions[0], of: VersionsAtHand(of: bundle), origin: .closest)
    notes = [
      DiagnosticMessage(
        .note, "model.closest",
        "'\(path)' is read with \(gap.closest ?? found.description), which didn't write it; "
          + "properties that the store lacks or stores differently are omitted"
      )
    ]
    for difference in gap.differences {
      notes.append(
        DiagnosticMessage(
          .note, "model.closest", gap.sentence(for: difference),
          help: reduced.omissions(of: difference.entity).map { .text($0) }))
    }
    notes += reduced.foreignColumns.sorted { $0.key < $1.key }.map { table, columns in
      DiagnosticMessage(
        .note, "model.closest",
        "columns of \(table) that the model doesn't contain are omitted: \(columns.joined(separator: ", "))"
      )
    }
  }
}

extension ReducedModel {
  fileprivate func omissions(of entity: String) -> [String] {
    if missingEntities.contains(entity) {
      return ["it is omitted, because the store has no table for it"]
    }
    guard let missing = missingProperties[entity] else { return [] }
    let list = missing.map { "'\($0)'" }.joined(separator: ", ")
    return
      [
        "omitted: \(list); the store doesn't contain \(missing.count == 1 ? "this property" : "these properties"), "
          + "or stores \(missing.count == 1 ? "it" : "them") with another type"
      ]
  }
}

extension VersionGap.Verdict {
  /// Whether the store was probably written by another version of the same model.
  fileprivate var isNear: Bool {
    switch self {
    case .newer, .different: true
    case .noHashes, .noModel, .otherModel: false
    }
  }
}

extension Workspace {
  /// Whether the model of a store is available.
  enum Identification {
    case known(FoundModel)
    /// The model isn't available. The gap contains the differences from the closest version. It is nil if the version
    /// hashes or all models are missing or can't be read.
    case unknown(because: String, VersionGap?)
  }

  /// Finds the model version of a store. An error of finding or reading models is thrown only if the user specifies the
  /// path of the model.
  func identify(_ description: StoreDescription) throws -> Identification {
    try identify(description.metadata)
  }

  /// Returns the layout of the store for the version that wrote it. If this version isn't available, uses the closest
  /// version with `--closest`, otherwise the model that the store provides (see `OwnModel`).
  ///
  /// - Parameter infers: Whether the store provides a model inferred from its tables if it doesn't contain a usable
  ///   one.
  /// - Returns: Nil if neither can be used. If the user specifies a model or a version, the store's own model isn't
  ///   used.
  /// - Throws: The errors of a model that the user specifies, or of reading the layout.
  func identifiedLayout(of store: Store, infers: Bool) throws -> StoreLayout? {
    switch try identify(store.metadata) {
    case .known(let found):
      return try store.layout(for: found.model, configuration: found.configuration)
    case .unknown(_, .some) where readsClosest:
      let found = try closestModel(to: store)
      Terminal.report(found.notes)
      return try store.layout(for: found.model)
    case .unknown(let reason, _):
      guard !isGiven, let own = Self.ownModel(of: store, infers: infers) else { return nil }
      Terminal.report(own.notes(because: DiagnosticMessage(.note, "model.none", reason)))
      return try store.layout(for: own.found.model, configuration: own.found.configuration)
    }
  }

  /// Returns the model that the store provides; nil if there is none. If the store can't be read, this function prints
  /// a note and returns nil.
  ///
  /// - Parameter infers: Whether a model is inferred from the tables if the store doesn't contain a usable one.
  static func ownModel(of store: Store, infers: Bool = true) -> OwnModel? {
    do {
      return infers ? try OwnModel(of: store) : try OwnModel(carriedBy: store)
    } catch let error as any DiagnosableError {
      Terminal.report(error.diagnostics.map { $0.asNote("it doesn't contain a model") })
    } catch {
      Terminal.report([
        DiagnosticMessage(.note, "model.none", "it doesn't contain a model: \(error)")
      ])
    }
    return nil
  }

  func identify(_ metadata: StoreMetadata?) throws -> Identification {
    if metadata?.fault != nil {
      return .unknown(because: "the store's version hashes can't be read", nil)
    }
    guard let hashes = metadata?.hashes, !hashes.isEmpty else {
      return .unknown(because: "the store doesn't contain version hashes", nil)
    }
    do {
      var matcher = VersionMatcher(hashes: hashes, versionName: named.modelVersion)
      let found = try versions().compactMap { versions in
        try matcher.match(in: versions.hashed).map { try FoundModel($0, of: versions) }
      }
      guard let first = found.first else {
        var gap: VersionGap?
        if case .unknown(let found) = StoreVersion(of: hashes, among: matcher.candidates) {
          gap = found
        }
        if matcher.readNothing, modelPath != nil { throw DiagnosticError(matcher.unreadable) }
        Terminal.report(matcher.unreadableNotes)
        return .unknown(
          because: named.modelVersion.map {
            "'\($0)' doesn't have the version hashes of the store"
          } ?? "no available model has the version hashes of the store", gap)
      }
      return .known(first)
    } catch let error as any DiagnosableError where modelPath == nil {
      return .unknown(because: error.diagnostics.first?.message ?? "no model can be read", nil)
    }
  }

  /// Returns the migration that a command requests.
  ///
  /// - Parameters:
  ///   - target: The target version; nil for the current version of the bundle.
  ///   - via: The values of `--via`; empty for an automatic path.
  ///   - migrations: The folder of definitions that the user specifies; nil for the default folder.
  ///   - use: The access to the store that the command requires.
  /// - Throws: `DiscoveryError`, `UnknownVersion`, `ModelBundleError`, `MigrationPathError`, or an error of opening the
  ///   store or of reading a model or a definition on the path.
  func migration(
    to target: String?, via: [String], migrations: LocalPath?, before use: Store.Access
  ) throws -> RequestedMigration {
    let (store, source, bundle) = try findToMigrate(before: use, takesNewer: target != nil)
    if let migrations, migrations.kind != .folder {
      Terminal.report([
        DiagnosticMessage(
          .warning, "migrate.no-folder",
          "the folder '\(migrations)' doesn't exist, so no definitions are used")
      ])
    }
    let definitions = try DefinitionFolder.find(
      of: bundle, in: bundle.migrationsFolder(named: migrations))
    return try RequestedMigration(
      store, from: source, to: target, via: via, definitions: definitions)
  }
}
