public import StoreEngine
public import StoreModel

/// Specifies how to migrate an older store when it is opened.
public struct MigrationPolicy: Sendable {
  /// The location of the backup, the allowed losses, and whether the migration compares the rows before and after.
  public var settings: MigrationSettings
  /// The program's own steps, which run when the migration passes from one version to another.
  public var steps: [CustomStep]

  /// Creates a policy from settings and steps.
  ///
  /// - Parameters:
  ///   - settings: the location of the backup, the allowed losses, and whether the migration compares the rows before
  ///     and after.
  ///   - steps: steps in Swift between two versions.
  public init(settings: MigrationSettings = MigrationSettings(), steps: [CustomStep] = []) {
    self.settings = settings
    self.steps = steps
  }

  /// A policy that migrates the store, creates a backup in the same folder, compares rows before and after, and doesn't
  /// allow any losses.
  public static let automatic = MigrationPolicy()

  /// Returns a policy that migrates the store and compares its rows before and after.
  ///
  /// - Parameters:
  ///   - backup: the location of a copy of the store, which is created before the migration.
  ///   - losses: the rows and values that the migration may drop, with their names in any version.
  ///   - steps: steps in Swift between two versions.
  public static func automatic(
    backup: MigrationSettings.Backup = .beside, allowing losses: AllowedLosses = .none,
    steps: [CustomStep] = []
  ) -> MigrationPolicy {
    MigrationPolicy(
      settings: MigrationSettings(backup: backup, allowedLosses: losses), steps: steps)
  }
}

extension PersistentStore {
  /// Opens a store of a generated model, after migrating it if it has an older version of the model.
  ///
  ///     let store = try await PersistentStore.open(
  ///       "Shop.sqlite", schema: ShopModel.self, migrating: .automatic)
  ///
  /// A store that has the current version is opened without a migration. With `Options.readOnly`, no migration runs,
  /// and a store of an older version isn't opened.
  ///
  /// - Parameters:
  ///   - path: the path of the store's file.
  ///   - schema: the generated model.
  ///   - policy: the settings and steps of a migration.
  ///   - options: the options of the opened store.
  ///   - progress: a function that is called before each phase of a migration, on the thread of the migration.
  /// - Returns: the opened store.
  /// - Throws: the errors of `StoreMigrator.run` and `open(_:schema:)`. If the store is newer than the schema, the
  ///   reason is `newerVersion`.
  public static func open(
    _ path: some FileLocation, schema: any VersionedSchemaModel.Type,
    migrating policy: MigrationPolicy,
    options: Options = Options(), progress: @escaping @Sendable (MigrationPhase) -> Void = { _ in }
  ) async throws -> PersistentStore {
    if !options.isReadOnly {
      try await StoreMigrator(path, to: schema, settings: policy.settings, steps: policy.steps)
        .run(progress: progress)
    }
    return try await open(path, schema: schema, options: options)
  }

  /// Opens a store of a generated model, after migrating it if it has an older version of the model. Creates an
  /// empty store if the file doesn't exist.
  ///
  /// - Parameters:
  ///   - path: the path of the store's file.
  ///   - schema: the generated model.
  ///   - policy: the settings and steps of a migration.
  ///   - options: the options of the opened store.
  ///   - progress: a function that is called before each phase of a migration, on the thread of the migration.
  /// - Returns: the opened store.
  /// - Throws: the errors of `StoreMigrator.run`, `open(_:schema:)` and `create(_:for:)`.
  public static func openOrCreate(
    _ path: some FileLocation, schema: any VersionedSchemaModel.Type,
    migrating policy: MigrationPolicy,
    options: Options = Options(), progress: @escaping @Sendable (MigrationPhase) -> Void = { _ in }
  ) async throws -> PersistentStore {
    try await openOrCreate(path, for: schema, options) {
      try await open(
        path, schema: schema, migrating: policy, options: options, progress: progress)
    }
  }
}
