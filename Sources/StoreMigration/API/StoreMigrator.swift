import SQLiteAccess
import StoreCore
public import StoreDiagnostics
public import StoreEngine
import StoreLayout
public import StoreModel

/// Migrates a store to another version of its model, and proves that no data was lost by comparing the rows before and
/// after.
///
///     let migrator = StoreMigrator("Shop.sqlite", to: ShopModel.self)
///     print(try await migrator.plan())
///     let result = try await migrator.run { print($0) }
///
/// A migration is the same as with `storetool migrate`: by default, it creates a backup, and then changes the store in
/// one transaction, in which it compares the rows before and after. After an error, a cancelled task or a killed
/// process, the store is unchanged. No other connection may have the store open during the migration.
///
/// The methods throw `MigrationError` if the versions or the rows prevent the migration, `StoreError` for any other
/// error of a store, and `CancellationError`. Errors of a `CustomStep` are rethrown.
public struct StoreMigrator: Sendable {
  /// The location of the store's file.
  public let location: any FileLocation
  /// The location of the backup, the allowed losses, and whether rows are compared.
  public var settings: MigrationSettings
  /// The program's own code between versions.
  public var steps: [CustomStep]
  /// The names of the versions through which the migration goes before it reaches the target. If the array is empty,
  /// the migration chooses them. `["direct"]` goes directly to the target, so that it only uses a definition or step
  /// between exactly these two versions.
  public var via: [String]
  let versions: ModelVersions
  let target: String?

  /// Creates a migrator for a generated model.
  ///
  /// - Parameters:
  ///   - path: the path of the store's file.
  ///   - schema: the generated model, whose current version is the target. No model files are read.
  ///   - settings: the location of the backup, the allowed losses, and whether rows are compared.
  ///   - steps: steps in Swift between two versions.
  public init(
    _ path: some FileLocation, to schema: any VersionedSchemaModel.Type,
    settings: MigrationSettings = MigrationSettings(), steps: [CustomStep] = []
  ) {
    self.init(path, versions: ModelVersions(of: schema), settings: settings, steps: steps)
  }

  /// Creates a migrator for the versions of a model.
  ///
  /// - Parameters:
  ///   - path: the path of the store's file.
  ///   - versions: the versions of the model.
  ///   - target: the name of the target version, which may be older than the store's version. If nil, the target is the
  ///     current version, and newer stores are rejected.
  ///   - via: the names of the versions through which the migration goes before it reaches the target. If empty, the
  ///     migration chooses them.
  ///   - settings: the location of the backup, the allowed losses, and whether rows are compared.
  ///   - steps: steps in Swift between two versions.
  public init(
    _ path: some FileLocation, versions: ModelVersions, to target: String? = nil,
    via: [String] = [],
    settings: MigrationSettings = MigrationSettings(), steps: [CustomStep] = []
  ) {
    location = path
    self.versions = versions
    self.target = target
    self.via = via
    self.settings = settings
    self.steps = steps
  }

  /// Returns the store's version, the target version and the route between them. Only reads the store.
  ///
  /// - Throws: `MigrationError` if there isn't a route, `StoreError` if the store can't be read, and
  ///   `CancellationError`.
  public func status() async throws -> MigrationStatus {
    try await looking { request, _ in MigrationStatus(of: request) }
  }

  /// Returns the statements, cost and losses of a migration, and the rows that would stop it. Only reads the store. If
  /// a check depends on rows that only a part of the migration creates, this part runs on a copy, which is deleted.
  ///
  /// - Returns: the plan, or nil if the store already has the target version.
  /// - Throws: `MigrationError` if there isn't a route, `StoreError` if the store can't be read, `CancellationError`,
  ///   and the errors of a step.
  public func plan() async throws -> MigrationOutlook? {
    try await looking { request, cancellation in
      guard request.isPending else { return nil }
      return try MigrationOutlook(
        of: request, settings: settings(for: request), steps: steps, cancellation)
    }
  }

  /// Migrates a copy of the store to measure its results, and deletes the copy.
  ///
  /// - Parameter progress: a function that is called before each phase, on the thread of the migration.
  /// - Returns: the result, or nil if the store already has the target version.
  /// - Throws: the errors that `run` would throw.
  public func dryRun(
    progress: @escaping @Sendable (MigrationPhase) -> Void = { _ in }
  ) async throws -> MigrationResult? {
    try await looking { request, cancellation in
      guard request.isPending else { return nil }
      return try MigrationDryRun.run(
        request.migration(of: request.store), of: request.store, settings: settings(for: request),
        steps: steps, cancellation: cancellation, progress: progress)
    }
  }

  /// Migrates the store.
  ///
  /// Cancelling the task interrupts the running statement and rolls back.
  ///
  /// - Parameter progress: a function that is called before each phase, on the thread of the migration.
  /// - Returns: the result, or nil if the store already has the target version.
  /// - Throws: `MigrationError` if the store can't be migrated, `StoreError` for any other error of the store, with the
  ///   reason `locked` if it is open elsewhere, `CancellationError`, and the errors of a step.
  @discardableResult
  public func run(
    progress: @escaping @Sendable (MigrationPhase) -> Void = { _ in }
  ) async throws -> MigrationResult? {
    let request = try await looking { request, _ in request }
    guard request.isPending else { return nil }
    return try await SerialWorker(named: "storetool.migrate").run { cancellation in
      try MigrationError.translating {
        // Closing the store checkpoints the WAL.
        try request.store.reopenedExclusively().closing { store in
          try MigrationRun(
            request.migration(of: store), of: store, settings: settings(for: request),
            steps: steps, cancellation: cancellation, progress: progress
          ).run()
        }
      }
    }
  }
}

extension StoreMigrator {
  /// Opens the store for reading, runs `body` with the request, and closes the store.
  ///
  /// - Throws: `MigrationError`, `StoreError`, `CancellationError`, and errors of the caller's own code in `body`.
  private func looking<Found: Sendable>(
    _ body: @escaping @Sendable (RequestedMigration, Cancellation) throws -> Found
  ) async throws -> Found {
    // Stores are opened for reading on this worker, because all connections of a process share a -shm file. While one
    // of them has opened it read-only, none of them can write.
    try await PersistentStore.opener.run { cancellation in
      try MigrationError.translating {
        try Store.openRecovered(location.localPath()).closing { store in
          try body(request(for: store), cancellation)
        }
      }
    }
  }

  /// - Throws: `UnknownVersion`, `NewerStore`, or an error of `RequestedMigration`.
  private func request(for store: Store) throws -> RequestedMigration {
    let source = try SourceVersion(
      of: store, in: HashedVersions(versions.source), takesNewer: target != nil)
    let request = try RequestedMigration(
      store, from: source, to: target, via: via, definitions: versions.definitions, steps: steps)
    if target == nil, request.isPending, request.leadsBack {
      throw NewerStore(path: request.storePath, version: source.name, target: request.target)
    }
    return request
  }

  private func settings(for request: RequestedMigration) -> MigrationSettings {
    var settings = settings
    if case .some(let names) = settings.allowedLosses {
      settings.allowedLosses = .some(request.declaringNames(of: names))
    }
    settings.otherNames = request.namesOfVersions(for: settings.allowedLosses)
    return settings
  }
}

/// The error for a store whose version is newer than the target version.
struct NewerStore: DiagnosableError {
  let path: LocalPath
  let version: String
  let target: String

  var diagnostics: [DiagnosticMessage] {
    [
      .error(
        "migrate.newer-store",
        "'\(path)' was written by '\(version)', which is newer than '\(target)'",
        cause: .unknownVersion,
        help: ["use a newer program, or specify '\(target)' as the target to migrate back"])
    ]
  }
}

/// The statements, cost and losses of a planned migration.
public struct MigrationOutlook: Hashable, Sendable {
  /// The estimated disk space and duration of a migration.
  public struct Cost: Hashable, Sendable {
    /// The required free disk space in bytes, including the backup.
    public internal(set) var disk: Int64
    /// The size of the backup in bytes.
    public internal(set) var backup: Int64
    /// A very rough estimate of the duration in seconds.
    public internal(set) var seconds: Double
  }

  /// One SQL statement.
  public struct Step: Hashable, Sendable {
    /// The effect of the statement, such as `adds Item.note`.
    public internal(set) var purpose: String
    /// The SQL text, with values in place of parameters.
    public internal(set) var sql: String
  }

  /// The versions and the route.
  public internal(set) var status: MigrationStatus
  /// The rows and values that the target version can't represent, whether or not they are allowed.
  public internal(set) var losses: [MigrationLoss]
  /// Diagnostics about the rows that would stop the migration.
  public internal(set) var problems: [DiagnosticMessage]
  /// Notes, for example about keys that change, or relationships that become ordered.
  public internal(set) var notes: [String]
  /// The required disk space and time.
  public internal(set) var cost: Cost
  /// The statements in the order of execution, without custom steps.
  public internal(set) var steps: [Step]
  /// The losses that the settings don't allow.
  public internal(set) var refusedLosses: [MigrationLoss]

  /// Whether the migration would stop because of rows or losses.
  public var isRefused: Bool { !problems.isEmpty || !refusedLosses.isEmpty }

  init(
    of request: RequestedMigration, settings: MigrationSettings, steps own: [CustomStep],
    _ cancellation: Cancellation
  ) throws {
    let migration = try request.migration(of: request.store)
    let cost = try request.store.read(cancellation: cancellation) {
      try MigrationCost(of: migration, settings: settings, on: $0)
    }
    let findings = try MigrationFindings(
      of: migration, in: request.store, settings: settings, steps: own, cancellation: cancellation)
    status = MigrationStatus(of: request)
    losses = findings.losses
    refusedLosses = findings.losses.filter { !settings.allowedLosses.allow($0.name) }
    problems = findings.failedChecks.map(\.diagnostic)
    notes = migration.plans.flatMap(\.notes)
    self.cost = Cost(disk: cost.disk, backup: cost.backup, seconds: cost.seconds)
    steps = migration.steps.map { Step(purpose: $0.purpose, sql: $0.sql.literalText) }
  }
}

extension MigrationOutlook: CustomStringConvertible {
  public var description: String {
    let lost = losses.map { loss in
      "\(refusedLosses.contains(loss) ? "would lose" : "drops") \(loss.name) (\(loss.count))"
    }
    let time = cost.seconds < 1 ? "less than 1 s" : "about \(Int(cost.seconds.rounded(.up))) s"
    let head = [
      "\(status)",
      "\(steps.count) \("step".plural(steps.count)), \(ByteCount.text(cost.disk)) of disk, \(time)",
    ]
    let text = (head + lost + notes).joined(separator: "\n")
    return text + problems.map { "\n" + DiagnosticRenderer().render($0).dropLast() }.joined()
  }
}
