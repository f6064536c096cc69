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
  let settings: MigrationSettings
  let warnings: [Diagnostic]
  private let metadata: StoreMetadata
  private let definitions: DefinitionFolder

  /// - Parameter use: what is about to be done to the store.
  /// - Throws: `DiscoveryError`, `StoreError`, `ModelBundleError`, `MigrationPathError`, what reading
  ///   a model throws.
  init(
    _ options: StoreOptions, _ migration: MigrationOptions, before use: Store.Access
  ) throws {
    let opened = try Workspace(options).openStore(having: .nothing, before: use)
    found = opened.found
    storePath = opened.store.path
    metadata = opened.store.metadata
    try opened.store.close()
    settings = migration.settings
    target = try Self.target(migration.to, in: found)
    let bundle = found.bundle
    definitions = try DefinitionFolder.find(
      of: bundle,
      in: migration.migrations.folder(of: bundle))
    let fingerprint = ModelFingerprint(of: target.model, configuration: target.configuration)
    // Versions with equal hashes are one.
    let isThere = fingerprint.hashes == metadata.hashes
    path = try MigrationPath(
      from: isThere ? target.version.name : found.version.name, to: target.version.name,
      in: Self.passable(bundle.versions, besides: [found.version, target.version]),
      definitions: definitions.files.map { .init(from: $0.from, to: $0.to) })
    warnings = Self.warnings(of: bundle)
  }

  var isPending: Bool { !path.legs.isEmpty }

  func definitionPath(of jump: MigrationPath.Jump) -> String? {
    definitions.file(from: jump.from, to: jump.to)?.path
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
    // Another migration may have come between.
    guard store.metadata.hashes == metadata.hashes else {
      throw StoreError.locked(path: storePath)
    }
    let plans = try MigrationAssembly.plans(try path.legs.flatMap(mappings), for: store)
    return try Migration(
      from: found.version.name, to: target.version.name, by: plans,
      model: ModelFingerprint(of: target.model, configuration: target.configuration),
      metadata: store.metadata)
  }

  private func mappings(of leg: MigrationPath.Leg) throws -> [ModelMapping] {
    switch leg {
    case .inferred(let versions):
      let models = try versions.map(model)
      return zip(models, models.dropFirst()).map { old, new in
        MappingInference.infer(ModelPairing(from: old, to: new))
      }
    case .custom(let jump):
      let pairing = try ModelPairing(from: model(named: jump.from), to: model(named: jump.to))
      guard let file = definitions.file(from: jump.from, to: jump.to) else {
        return [MappingInference.infer(pairing)]
      }
      return [try MappingInference.infer(pairing, with: file.read())]
    }
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

  /// What Xcode 3 has written, and folders without a model, can't be read: the way leads past them.
  private static func passable(
    _ versions: [ModelVersion], besides ends: [ModelVersion]
  ) -> [String] {
    versions.filter { $0.form == .xml || ends.contains($0) }.map(\.name)
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
