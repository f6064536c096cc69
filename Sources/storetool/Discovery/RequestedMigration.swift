import SQLiteAccess
import StoreLayout
import StoreDiagnostics
import StoreEngine
import StoreMigration
import StoreModel
import StoreModelReader

/// What a command has to migrate: the store, its version, the target, and the route between them.
struct RequestedMigration {
  /// As it was found, open for reading: one that is of the target version may be in use, or not writable.
  let store: Store
  /// The version that wrote the store.
  let found: FoundModel
  let target: FoundModel
  /// Empty where the store is of the target version.
  let route: MigrationRoute
  let warnings: [Diagnostic]
  /// What the store's metadata become.
  private let goal: ModelFingerprint
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
    let (store, found) = try workspace.findToMigrate(before: use, takesNewer: target != nil)
    try self.init(store, found, to: target, via: via, migrations: migrations)
  }

  /// - Parameter found: the version that wrote the store.
  init(
    _ store: Store, _ found: FoundModel, to target: String?, via: [String], migrations: String?
  ) throws {
    self.store = store
    let bundle = found.bundle
    let version = try target.map(bundle.version(named:)) ?? bundle.requireCurrentVersion()
    let configuration = found.configuration?.name
    self.found = found
    self.target = try FoundModel(version, of: found.readings, configuration: configuration)
    goal = try found.readings.fingerprint(of: version, configuration: configuration)
    graph = try VersionGraph(of: bundle, in: bundle.migrationsFolder(named: migrations))
    // Versions with equal hashes are one.
    let isThere = goal.hashes == store.metadata.hashes
    // Where in the order of versions the model belongs that a store carries, nothing says.
    let usual = found.origin == .carried ? [VersionGraph.direct] : []
    let path = try graph.path(
      from: isThere ? version : found.version, to: version,
      via: isThere ? [] : via.isEmpty ? usual : via)
    var notes = found.notes
    if via.isEmpty, !graph.definitions.jumps.isEmpty {
      notes = notes.map { $0.helping("no definition is passed: --via names versions to go over") }
    }
    var warnings =
      notes + Self.warnings(of: bundle, graph.order)
      + graph.definitions.faults.flatMap(\.warnings)
    route = try graph.route(along: path) {
      try Self.model(of: bundle.version(named: $0), found)
    } unread: { name, error in
      warnings.append(
        Diagnostic(
          .warning, "migrate.unread-version",
          "'\(name)' can't be read, so that renames that only it tells are not followed: "
            + (error.diagnostics.first?.message ?? "\(error)")))
    }
    self.warnings = warnings
  }

  var storePath: String { store.path }
  var isPending: Bool { !route.legs.isEmpty }

  func definitionPath(of jump: VersionJump) -> String? {
    graph.definitions.file(from: jump.from, to: jump.to)?.path
  }

  // MARK: The plans

  /// The migration worked out for the store as it is; nothing is changed by it.
  ///
  /// - Parameter store: the one that was found, also where it was opened again.
  func migration(of store: Store) throws -> Migration {
    try migration(of: store, by: route.mappings)
  }

  /// The migration by the straight path between both versions; nil where that is the path.
  func alternative() throws -> Migration? {
    try route.alternative.map { try migration(of: store, by: [$0]) }
  }

  private func migration(of store: Store, by mappings: [ModelMapping]) throws -> Migration {
    try Migration(
      from: found.version.name, to: target.version.name,
      by: MigrationAssembly.plans(mappings, for: store), model: goal, metadata: store.metadata,
      carrying: target.model)
  }

  /// A version as far as it lies in the store.
  private static func model(of version: ModelVersion, _ found: FoundModel) throws -> Model {
    let version = try FoundModel(
      version, of: found.readings, configuration: found.configuration?.name)
    return version.model.limited(to: version.configuration)
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
