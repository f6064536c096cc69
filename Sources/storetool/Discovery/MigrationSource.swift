import SQLiteAccess
import StoreLayout
import StoreDiagnostics
import StoreEngine
import StoreMigration
import StoreModel
import StoreModelReader

/// The store that is to be migrated, its version, the target, and the path between them.
struct MigrationSource {
  let storePath: String
  /// The version that wrote the store.
  let found: FoundModel
  let target: FoundModel
  /// Empty where the store is of the target version.
  let route: MigrationRoute
  let warnings: [Diagnostic]
  private let metadata: StoreMetadata
  private let graph: VersionGraph

  /// - Parameters:
  ///   - target: the version to get to; nil for the bundle's current one.
  ///   - via: the versions to pass, where the user chooses.
  ///   - migrations: the folder of definitions, where one was named.
  ///   - use: what is about to be done to the store.
  /// - Throws: `DiscoveryError`, `StoreError`, `ModelBundleError`, `MigrationPathError`, what reading
  ///   a model or a definition on the path throws.
  init(
    _ workspace: Workspace, to target: String?, via: [String], migrations: String?,
    before use: Store.Access
  ) throws {
    let store: Store
    let found: FoundModel
    (store, found) = try workspace.find(.nothing, before: use)
    storePath = store.path
    metadata = store.metadata
    try store.close()
    let goal = try Self.target(target, in: found)
    (self.found, self.target) = (found, goal)
    let bundle = found.bundle
    graph = try VersionGraph(of: bundle, in: bundle.migrationsFolder(named: migrations))
    let fingerprint = ModelFingerprint(of: goal.model, configuration: goal.configuration)
    // Versions with equal hashes are one.
    let isThere = fingerprint.hashes == metadata.hashes
    let path = try graph.path(
      from: isThere ? goal.version : found.version, to: goal.version, via: isThere ? [] : via)
    var warnings =
      Self.warnings(of: bundle, graph.order) + graph.definitions.faults.flatMap(\.warnings)
    route = try graph.route(along: path) {
      try Self.model(named: $0, found, goal)
    } unread: { name, error in
      warnings.append(
        Diagnostic(
          .warning, "migrate.unread-version",
          "'\(name)' can't be read, so that renames that only it tells are not followed: "
            + (error.diagnostics.first?.message ?? "\(error)")))
    }
    self.warnings = warnings
  }

  var isPending: Bool { !route.legs.isEmpty }

  func definitionPath(of jump: VersionJump) -> String? {
    graph.definitions.file(from: jump.from, to: jump.to)?.path
  }

  // MARK: The plans

  /// Works the migration out in the state of the store that `body` sees; nothing is changed by it.
  func reading<Result>(_ body: (Store, Migration) throws -> Result) throws -> Result {
    let store = try Store.open(storePath, .reading)
    return try body(store, try migration(of: store))
  }

  /// The same while no one else has the store open.
  func alone<Result>(_ body: (Store, Migration) throws -> Result) throws -> Result {
    let store = try Store.openAlone(storePath)
    let result = try body(store, try migration(of: store))
    // Here the -wal goes into the file.
    try store.close()
    return result
  }

  private func migration(of store: Store) throws -> Migration {
    try migration(of: store, by: route.mappings)
  }

  /// The migration by the straight path between both versions; nil where that is the path.
  func alternative(of store: Store) throws -> Migration? {
    try route.alternative.map { try migration(of: store, by: [$0]) }
  }

  private func migration(of store: Store, by mappings: [ModelMapping]) throws -> Migration {
    // Another migration may have come between.
    guard store.metadata.hashes == metadata.hashes else {
      throw DatabaseError.locked(path: storePath)
    }
    return try Migration(
      from: found.version.name, to: target.version.name,
      by: MigrationAssembly.plans(mappings, for: store),
      model: ModelFingerprint(of: target.model, configuration: target.configuration),
      metadata: store.metadata)
  }

  /// A version as far as it lies in the store.
  private static func model(
    named name: String, _ found: FoundModel, _ target: FoundModel
  ) throws -> Model {
    let known = [found, target].first { $0.version.name == name }
    let model = try known?.model ?? found.bundle.version(named: name).read().model
    let configuration = found.configuration.flatMap { own in
      model.configurations.first { $0.name == own.name }
    }
    return model.limited(to: configuration)
  }

  private static func target(_ name: String?, in found: FoundModel) throws -> FoundModel {
    let bundle = found.bundle
    let version = try name.map(bundle.version(named:)) ?? bundle.requireCurrentVersion()
    let reading = try version.read()
    let configuration = found.configuration.flatMap { own in
      reading.model.configurations.first { $0.name == own.name }
    }
    return FoundModel(
      bundle: bundle, version: version, reading: reading, configuration: configuration)
  }

  private static func warnings(of bundle: ModelBundle, _ order: VersionOrder) -> [Diagnostic] {
    guard let current = bundle.currentVersion?.name, let last = order.names.last, current != last
    else { return [] }
    return [
      Diagnostic(
        .note, "migrate.order", "'\(last)' counts as newer than the current version '\(current)'")
    ]
  }
}
