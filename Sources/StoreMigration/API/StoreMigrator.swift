import SQLiteAccess
import StoreCore
public import StoreDiagnostics
import StoreEngine
import StoreLayout
public import StoreModel

/// Brings a store from the version that wrote it to another version of its model, with proof that nothing was lost.
///
///     let migrator = StoreMigrator("Shop.sqlite", to: ShopModel.self)
///     print(try await migrator.plan())
///     let result = try await migrator.run { print($0) }
///
/// What is done is what `storetool migrate` does: a backup first, then one transaction, in which rows are compared
/// before and after. Whatever stops it, an error, a cancelled task or a killed process, the store is as it was. Nothing
/// else may have the store open while it runs.
///
/// All errors but `CancellationError` and those that a `CustomStep` throws are `MigrationError`s, for what stands
/// between the versions, and `StoreError`s, for what can happen to any store.
public struct StoreMigrator: Sendable {
  /// The store's file.
  public let path: String
  public var settings: MigrationSettings
  /// What the program itself does between versions.
  public var steps: [CustomStep]
  /// The versions to pass, where they are chosen; none is not a choice, `["direct"]` the straight way, past all
  /// definitions and steps.
  public var via: [String]
  let versions: ModelVersions
  let target: String?

  /// - Parameters:
  ///   - path: the store's file.
  ///   - schema: the model's current version, which stores get to. Nothing is read from files.
  ///   - settings: the backup, the proof, and the losses that are allowed.
  ///   - steps: steps in Swift between two versions.
  public init(
    _ path: String, to schema: any VersionedSchemaModel.Type,
    settings: MigrationSettings = MigrationSettings(), steps: [CustomStep] = []
  ) {
    self.init(path, versions: ModelVersions(of: schema), settings: settings, steps: steps)
  }

  /// - Parameters:
  ///   - path: the store's file.
  ///   - versions: the versions of the model.
  ///   - target: the name of the version to get to, an older one too; nil for the current one, and then a store
  ///     of a newer one is refused.
  ///   - via: the versions to pass, where they are chosen.
  ///   - settings: the backup, the proof, and the losses that are allowed.
  ///   - steps: steps in Swift between two versions.
  public init(
    _ path: String, versions: ModelVersions, to target: String? = nil, via: [String] = [],
    settings: MigrationSettings = MigrationSettings(), steps: [CustomStep] = []
  ) {
    self.path = path
    self.versions = versions
    self.target = target
    self.via = via
    self.settings = settings
    self.steps = steps
  }

  /// The store's version, the target and the way between them. The store is only read.
  ///
  /// - Throws: `MigrationError`, `StoreError`, `CancellationError`
  public func status() async throws -> MigrationStatus {
    try await looking { request, _ in MigrationStatus(of: request) }
  }

  /// What a migration would do and lose, and what stands in its way; nil where there is nothing to migrate. The store is
  /// only read; where a definition or a step is on the way, it is tried on a copy, and so are the steps.
  ///
  /// - Throws: as `status`; what a step throws.
  public func plan() async throws -> MigrationOutlook? {
    try await looking { request, cancellation in
      guard request.isPending else { return nil }
      return try MigrationOutlook(
        of: request, settings: settings(for: request), steps: steps, cancellation)
    }
  }

  /// Migrates a copy of the store, for its real figures, and removes the copy; nil where there is nothing to migrate.
  ///
  /// - Parameter progress: is told what comes next, on a thread of the migration's.
  /// - Throws: what `run` would throw.
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

  /// Migrates the store; nil where it is of the target version.
  ///
  /// Cancelling the task rolls back within milliseconds.
  ///
  /// - Parameter progress: is told what comes next, on a thread of the migration's.
  /// - Throws: `MigrationError`, `StoreError`, `locked` among its reasons where the store is open elsewhere;
  ///   `CancellationError`; what a step throws.
  @discardableResult
  public func run(
    progress: @escaping @Sendable (MigrationPhase) -> Void = { _ in }
  ) async throws -> MigrationResult? {
    let request = try await looking { request, _ in request }
    guard request.isPending else { return nil }
    return try await SerialWorker(named: "storetool.migrate").run { cancellation in
      try MigrationError.translating {
        let store = try request.store.reopenedExclusively()
        do {
          let result = try MigrationRun(
            request.migration(of: store), of: store, settings: settings(for: request),
            steps: steps, cancellation: cancellation, progress: progress
          ).run()
          // Here the -wal goes into the file.
          try store.close()
          return result
        } catch {
          // What stopped it matters more than what closing says behind it.
          do { try store.close() } catch { throw error }
          throw error
        }
      }
    }
  }
}

extension StoreMigrator {
  /// Looks at the store and what there is to do; the store is closed afterwards.
  ///
  /// - Throws: `MigrationError`, `StoreError`, `CancellationError`; what `body` throws of the program's own.
  private func looking<Found: Sendable>(
    _ body: @escaping @Sendable (RequestedMigration, Cancellation) throws -> Found
  ) async throws -> Found {
    // SQLite shares the -shm among the connections of a process: beside one that may only read it nobody can write.
    try await PersistentStore.opener.run { cancellation in
      try MigrationError.translating {
        let store = try openToRead()
        let found = Result { try body(request(for: store), cancellation) }
        try store.close()
        return try found.get()
      }
    }
  }

  /// What a crash has left in a journal is rolled back first.
  private func openToRead() throws -> Store {
    do {
      return try Store.open(FilePath(path), .reading)
    } catch DatabaseError.needsRecovery {
      try Store.open(FilePath(path), .writing).close()
      return try Store.open(FilePath(path), .reading)
    }
  }

  /// - Throws: `UnknownVersion`, `NewerStore`; what making a request throws.
  private func request(for store: Store) throws -> RequestedMigration {
    let source = try SourceVersion(
      of: store, in: HashedVersions(versions.source), takesNewer: target != nil)
    let request = try RequestedMigration(
      store, from: source, to: target, via: via, definitions: versions.definitions, steps: steps)
    if target == nil, request.isPending, request.leadsBack {
      throw NewerStore(path: path, version: source.name, target: request.target)
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

/// A store of a version behind the one that a program is to migrate to.
struct NewerStore: DiagnosableError {
  let path: String
  let version: String
  let target: String

  var diagnostics: [Diagnostic] {
    [
      Diagnostic(
        .error, "migrate.newer-store",
        "'\(path)' was written by '\(version)', which is newer than '\(target)'",
        cause: .unknownVersion,
        help: ["open it with a newer program, or name '\(target)' to take it back"])
    ]
  }
}

/// What a migration would do, cost and lose.
public struct MigrationOutlook: Hashable, Sendable {
  /// What a migration takes, as far as it can be told beforehand.
  public struct Cost: Hashable, Sendable {
    /// Free bytes that are needed, backup included.
    public internal(set) var disk: Int64
    /// Of these the bytes of the backup.
    public internal(set) var backup: Int64
    /// Very rough.
    public internal(set) var seconds: Double
  }

  /// One statement.
  public struct Step: Hashable, Sendable {
    /// `adds Item.note`
    public internal(set) var purpose: String
    /// As SQLite gets it, with values in place.
    public internal(set) var sql: String
  }

  public internal(set) var status: MigrationStatus
  /// What the target has no place for, allowed or not.
  public internal(set) var losses: [Loss]
  /// Rows that stand in the way: with any of them the migration is refused.
  public internal(set) var problems: [Diagnostic]
  /// Keys that change, relationships whose order is made up.
  public internal(set) var notes: [String]
  public internal(set) var cost: Cost
  /// What is run, in this order; the program's own steps are not among them.
  public internal(set) var steps: [Step]
  /// Those among the losses that the settings do not allow.
  public internal(set) var refusedLosses: [Loss]

  /// Whether a run would be refused.
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
  /// Some lines for a log.
  public var description: String {
    let lost = losses.map { loss in
      "\(refusedLosses.contains(loss) ? "would lose" : "drops") \(loss.name) (\(loss.count))"
    }
    let head = [
      "\(status)",
      "\(steps.count) \("step".plural(steps.count)), \(ByteCount.text(cost.disk)) of disk, about \(Int(cost.seconds.rounded(.up))) s",
    ]
    let text = (head + lost + notes).joined(separator: "\n")
    return text + problems.map { "\n" + DiagnosticRenderer().render($0).dropLast() }.joined()
  }
}
