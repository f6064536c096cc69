import StoreDiagnostics
import StoreEngine
import StoreMigration
import StoreModel
import StoreModelReader

/// The store that is to be migrated, its version, the target, and the way between them.
struct MigrationSource {
  let storePath: String
  /// The version that wrote the store.
  let found: FoundModel
  let target: FoundModel
  /// Empty where the store is of the target version.
  let path: MigrationPath
  let warnings: [Diagnostic]
  private let metadata: StoreMetadata
  private let way: MigrationWay

  /// - Parameters:
  ///   - target: the version to get to; nil for the bundle's current one.
  ///   - migrations: the folder of definitions, where one was named.
  ///   - use: what is about to be done to the store.
  /// - Throws: `DiscoveryError`, `StoreError`, `ModelBundleError`, `MigrationPathError`, what reading
  ///   a model throws.
  init(
    _ workspace: Workspace, to target: String?, migrations: String?, before use: Store.Access
  ) throws {
    let store: Store
    (store, found) = try workspace.find(.nothing, before: use)
    storePath = store.path
    metadata = store.metadata
    try store.closeForGood()
    self.target = try Self.target(target, in: found)
    let bundle = found.bundle
    way = try MigrationWay(of: bundle, in: bundle.migrationsFolder(named: migrations))
    let fingerprint = ModelFingerprint(
      of: self.target.model, configuration: self.target.configuration)
    // Versions with equal hashes are one.
    let isThere = fingerprint.hashes == metadata.hashes
    let version = self.target.version
    path = try way.path(from: isThere ? version : found.version, to: version)
    warnings = Self.warnings(of: bundle)
  }

  var isPending: Bool { !path.legs.isEmpty }

  func definitionPath(of jump: MigrationPath.Jump) -> String? {
    way.definitions.file(from: jump.from, to: jump.to)?.path
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
    try store.closeForGood()
    return result
  }

  private func migration(of store: Store) throws -> Migration {
    // Another migration may have come between.
    guard store.metadata.hashes == metadata.hashes else {
      throw StoreError.locked(path: storePath)
    }
    let plans = try MigrationAssembly.plans(way.mappings(along: path, model: model), for: store)
    return try Migration(
      from: found.version.name, to: target.version.name, by: plans,
      model: ModelFingerprint(of: target.model, configuration: target.configuration),
      metadata: store.metadata)
  }

  /// A version as far as it lies in the store.
  private func model(named name: String) throws -> Model {
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

  /// The order of versions is that of their names, so the current one is expected at the end.
  private static func warnings(of bundle: ModelBundle) -> [Diagnostic] {
    guard let current = bundle.currentVersion, let last = bundle.versions.last, current != last
    else { return [] }
    return [
      Diagnostic(
        .note, "migrate.order",
        "'\(last.name)' comes after the current version '\(current.name)' by name, and so counts as newer"
      )
    ]
  }
}

extension Store {
  /// Closes it, and leaves what remains to the end of the process: letting go of a connection starts
  /// threads, which can be seen in a migration that rewrites no row.
  fileprivate func closeForGood() throws {
    try close()
    _ = Unmanaged.passRetained(self)
  }
}
