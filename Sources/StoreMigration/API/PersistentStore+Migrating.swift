public import StoreEngine
public import StoreModel

/// What is done with a store that an older version of a model wrote when it is opened.
public struct MigrationPolicy: Sendable {
  public var settings: MigrationSettings
  /// What the program itself does between versions.
  public var steps: [CustomStep]

  public init(settings: MigrationSettings = MigrationSettings(), steps: [CustomStep] = []) {
    self.settings = settings
    self.steps = steps
  }

  /// Migrates it, with a backup beside it and proof, and loses nothing.
  public static let automatically = MigrationPolicy()

  /// - Parameters:
  ///   - backup: where a copy of the store is made before the migration.
  ///   - losses: what may be dropped, of whatever version.
  ///   - steps: steps in Swift between two versions.
  public static func automatically(
    backup: MigrationSettings.Backup = .beside, allowing losses: AllowedLosses = .none,
    steps: [CustomStep] = []
  ) -> MigrationPolicy {
    MigrationPolicy(
      settings: MigrationSettings(backup: backup, allowedLosses: losses), steps: steps)
  }
}

extension PersistentStore {
  /// Opens a store whose model is generated Swift source, migrated to its current version where an older one wrote it.
  ///
  ///     let store = try await PersistentStore.open(
  ///       "Shop.sqlite", schema: ShopModel.self, migrating: .automatically)
  ///
  /// Opening a store of the current version costs what it costs without. One that is newer than the schema is refused.
  ///
  /// - Parameters:
  ///   - options: how the store deals with its requests, once it is open.
  ///   - progress: is told what a migration does next, on a thread of the migration's.
  /// - Throws: what `StoreMigrator.run` throws, `newerVersion` among its reasons; as `open(_:schema:)`.
  public static func open(
    _ path: String, schema: any VersionedSchemaModel.Type, migrating policy: MigrationPolicy,
    options: Options = Options(), progress: @escaping @Sendable (MigrationPhase) -> Void = { _ in }
  ) async throws -> PersistentStore {
    try await StoreMigrator(path, to: schema, settings: policy.settings, steps: policy.steps)
      .run(progress: progress)
    return try await open(path, schema: schema, options: options)
  }

  /// As `open(_:schema:migrating:options:progress:)`; where there is no store, an empty one is made.
  ///
  /// - Throws: as that and `create(_:for:)`.
  public static func openOrCreate(
    _ path: String, schema: any VersionedSchemaModel.Type, migrating policy: MigrationPolicy,
    options: Options = Options(), progress: @escaping @Sendable (MigrationPhase) -> Void = { _ in }
  ) async throws -> PersistentStore {
    try await openOrCreate(path, for: schema) {
      try await open(
        path, schema: schema, migrating: policy, options: options, progress: progress)
    }
  }
}
