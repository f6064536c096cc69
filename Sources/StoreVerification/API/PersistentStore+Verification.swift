import SQLiteAccess
import StoreCore
import StoreDiagnostics
public import StoreEngine
import StoreLayout
public import StoreModel

extension PersistentStore {
  /// Searches the store for damage, like `storetool verify`. The store isn't changed.
  ///
  ///     let findings = try await store.verify()
  ///     if findings.contains(where: { $0.severity == .error }) { alert(findings) }
  ///
  /// The checks cover the integrity of the file, missing tables, columns and indexes, references to missing rows, join
  /// tables, ordered relationships, key counters, uniqueness, derived values, entity numbers, the history, and external
  /// files. They read all rows. In WAL mode, other requests continue in the meantime. Findings about external files
  /// aren't certain if such requests change large values: verify again.
  ///
  /// - Parameter progress: called on another thread before each check, with the completed share of the work from 0 to
  ///   1.
  /// - Returns: the findings. If the file itself is damaged, only the findings about the file.
  /// - Throws: `StoreError` with the reason `locked`, `damaged` if the damage prevents the checks, or `inputOutput`;
  ///   `CancellationError`.
  public func verify(
    progress: (@Sendable (Double) -> Void)? = nil
  ) async throws -> [StoreFinding] {
    try await reading(for: .verify) { reading in
      try reading.store.verify(in: reading.layout, on: reading.connection) { step in
        try reading.cancellation.check()
        if let share = step.share { progress?(share) }
      }
    }
  }

  /// Searches a closed store for damage, like `storetool verify`. It doesn't have to be possible to open the store. The
  /// store isn't changed.
  ///
  ///     let findings = try await PersistentStore.verify("Shop.sqlite", models: [ShopModel.model])
  ///
  /// Other stores can't be opened until the function returns. For a store that is open in this program, use the
  /// function of the open store.
  ///
  /// - Parameters:
  ///   - path: the path of the store. It may lack tables, and its metadata may be unreadable.
  ///   - models: the versions that may have written the store. If the array is empty, the model that the store contains
  ///     is used. If the store doesn't contain a usable model, or doesn't contain version hashes, most checks of rows
  ///     are skipped.
  ///   - progress: called on another thread before each check, with the completed share of the work from 0 to 1.
  /// - Returns: the findings. If the file itself is damaged, only the findings about the file.
  /// - Throws: `StoreError` with the reason `notFound`, `notAStore`, `unknownVersion` if none of the models wrote the
  ///   store, `damaged` if the damage prevents the checks, `locked`, or `inputOutput`; `CancellationError`.
  public static func verify(
    _ path: some FileLocation, models: [DataModel] = [],
    progress: (@Sendable (Double) -> Void)? = nil
  ) async throws -> [StoreFinding] {
    try await inspecting(path, acceptsFaults: true) { store, cancellation in
      let layout = try store.identifiedLayout(among: models)
      return try store.verify(in: layout, cancellation: cancellation) { step in
        if let share = step.share { progress?(share) }
      }
    }
  }

  /// Repairs the damage of a store that can be repaired without a loss of data, in one transaction.
  ///
  ///     let result = try await PersistentStore.repair("Shop.sqlite", models: [ShopModel.model])
  ///     print(result.repaired.count, "repaired,", result.remaining.count, "left")
  ///
  /// A repair
  /// - creates missing indexes, triggers, R-trees, empty tables, and columns whose values can be computed
  /// - sets optional references to missing rows to NULL, and removes pairs of a join table with missing rows
  /// - corrects derived values, R-trees, key counters, and entity numbers that are certain
  /// - removes orphaned external files that are more than an hour old.
  ///
  /// The persistent history records the changes of rows. Close the store first if this program has it open, because a
  /// repair can change tables that an open store has read.
  ///
  /// - Parameters:
  ///   - path: the path of the store. It may lack tables.
  ///   - models: the versions that may have written the store.
  ///   - dryRun: whether to return the planned repairs without changing the store.
  /// - Returns: the repaired findings and the remaining findings.
  /// - Throws: `StoreError` with the reason `notFound`, `notAStore`, `unknownVersion`, `damaged` if the file itself is
  ///   damaged, `locked`, `readOnly`, or `inputOutput`; `CancellationError`. The store is then unchanged.
  @discardableResult
  public static func repair(
    _ path: some FileLocation, models: [DataModel], dryRun: Bool = false
  ) async throws -> RepairResult {
    if dryRun {
      return try await inspecting(path, acceptsFaults: false) { store, cancellation in
        try store.repairable(in: store.repairableLayout(among: models), cancellation: cancellation)
      }
    }
    let (store, layout) = try await opening(path) { path, _ in
      // A store of another model doesn't change.
      try Store.openRecovered(path).closing { _ = try writer(of: $0, among: models) }
      let store = try Store.open(path, .writing)
      return (store, try store.repairableLayout(among: models))
    }
    return try await SerialWorker(named: "storetool.repair").run { cancellation in
      try translating {
        try store.closing { try $0.repair(in: layout, cancellation: cancellation) }
      }
    }
  }

  /// Describes the store, like `storetool info`: its size, its entities with their numbers of rows, its history and its
  /// metadata. This counts the rows of all tables.
  ///
  /// - Returns: the description.
  /// - Throws: `StoreError` with the reason `locked`, `damaged`, or `inputOutput`; `CancellationError`.
  public func describe() async throws -> StoreDescription {
    try await reading(for: .describe) { [model] reading in
      let file = try DatabaseFile(reading.store.path)
      var description = try reading.store.describe(file, on: reading.connection)
      description.identify(among: [model])
      return description
    }
  }

  /// Describes a store that can't be opened, or that isn't open, like `storetool info`. This counts the rows of all
  /// tables.
  ///
  ///     let description = try await PersistentStore.describe("Shop.sqlite")
  ///
  /// Other stores can't be opened until the function returns.
  ///
  /// - Parameters:
  ///   - path: the path of the store.
  ///   - models: the versions that may have written the store. They determine only `modelVersion` and `configuration`.
  /// - Returns: the description.
  /// - Throws: `StoreError` with the reason `notFound`, `notAStore`, `damaged`, `locked`, or `inputOutput`;
  ///   `CancellationError`.
  public static func describe(
    _ path: some FileLocation, models: [DataModel] = []
  ) async throws -> StoreDescription {
    try await opening(path) { path, cancellation in
      var description = try Store.describe(path, cancellation: cancellation)
      description.identify(among: models)
      return description
    }
  }
}

extension PersistentStore {
  /// Opens a store for reading, runs `body`, and closes the store.
  ///
  /// - Parameter acceptsFaults: whether the metadata may be unreadable.
  private static func inspecting<Result: Sendable>(
    _ path: some FileLocation, acceptsFaults: Bool,
    _ body: @escaping @Sendable (Store, Cancellation) throws -> Result
  ) async throws -> Result {
    try await opening(path) { path, cancellation in
      try Store.open(path, .reading, acceptsFaults: acceptsFaults).closing {
        try body($0, cancellation)
      }
    }
  }

  /// Runs work that opens a store, and translates its errors.
  private static func opening<Result: Sendable>(
    _ path: some FileLocation,
    _ work: @escaping @Sendable (LocalPath, Cancellation) throws -> Result
  ) async throws -> Result {
    let path = try storePath(path)
    return try await opener.run { cancellation in
      try translating { try work(path, cancellation) }
    }
  }

  private static func translating<Result>(_ work: () throws -> Result) throws -> Result {
    do { return try work() } catch { throw StoreError.translating(error) }
  }
}

extension Store {
  /// Returns the layout of the model that wrote the store, for a repair.
  ///
  /// - Throws: `StoreLayoutError.unknownVersion`, `StoreLayoutError.incomplete`, `DatabaseError`
  fileprivate func repairableLayout(among models: [DataModel]) throws -> StoreLayout {
    let (model, configuration) = try PersistentStore.writer(of: self, among: models)
    return try readableLayout(for: model, configuration: configuration)
  }

  /// Returns the layout for the checks of a store.
  ///
  /// - Parameter models: if the array is empty, the model that the store contains is used.
  /// - Returns: nil if the store doesn't contain version hashes, which is a finding, or if the model is unknown.
  /// - Throws: `StoreLayoutError.unknownVersion`, `DatabaseError`
  fileprivate func identifiedLayout(among models: [DataModel]) throws -> StoreLayout? {
    guard !metadata.hashes.isEmpty else { return nil }
    guard models.isEmpty else {
      let (model, configuration) = try PersistentStore.writer(of: self, among: models)
      return try layout(for: model, configuration: configuration)
    }
    guard case .usable(let carried) = try carriedModel() else { return nil }
    return try layout(
      for: carried.model,
      configuration: carried.model.configurations.first { $0.name == carried.configuration })
  }
}

extension StoreDescription {
  /// Sets the version to the first model with the version hashes of the store.
  fileprivate mutating func identify(among models: [DataModel]) {
    guard let hashes = metadata?.hashes, !hashes.isEmpty else { return }
    let found = models.flatMap { VersionCandidate.all(of: $0) }.first { $0.fits(hashes) }
    modelVersion = found?.name
    configuration = found?.configuration
  }
}
