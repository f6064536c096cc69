package import SQLiteAccess
package import StoreCore
public import StoreDiagnostics
package import StoreLayout
public import StoreModel
import Synchronization

/// An open Core Data store. It runs all requests.
///
///     let bundle = try ModelBundle(at: "Models/Todo.xcdatamodeld")
///     let models = try bundle.versions.map { try $0.read().model }
///     let store = try await PersistentStore.open("Todo.sqlite", models: models)
///     let done = try await store.batchUpdate(
///       BatchUpdate(entity: "Item", values: [.init("done", .value(.boolean(true)))]))
///
/// Each request is one transaction. If it throws, the store is unchanged. Writing requests run one after the other, in
/// the order in which they were made. In a store in WAL mode, which is Core Data's default, reading requests run
/// concurrently. Each reads one state of the store, which contains all writes that ended before the read began. With a
/// rollback journal, all requests run one after the other. A waiting task doesn't block a thread of Swift's concurrency
/// pool. Cancelling the task interrupts the request within milliseconds, rolls it back, and throws `CancellationError`.
///
/// All other errors of the store are `StoreError`s. The documentation of a function lists its most important reasons.
/// Each request can also throw `closed`, `damaged` and `timedOut`. If another process has locked the store, a request
/// waits for up to the `lockTimeout` of the `Options`, by default two seconds, and then fails with the reason `locked`.
/// Use `within` to limit the total time of a request.
public final class PersistentStore: Sendable {
  /// The path that was passed to `open`.
  public var path: String { "\(file)" }
  let file: LocalPath
  /// The model version that wrote the store, from the models that were passed to `open`.
  public let model: DataModel
  let store: Store
  let layout: StoreLayout
  let options: Options
  let worker: SerialWorker
  /// Nil if the store isn't in WAL mode, or if the options don't allow concurrent reads.
  let readers: ReaderPool?
  let turn = CurrentTurn()
  let readings = ReadingCache()
  let rowWrites: RowWriteCache
  private let isClosed = Atomic(false)
  private let keptCount = Atomic(0)
  /// The folder of a temporary store.
  private let temporaryFolder: TemporaryStoreFolder?
  /// Updates the live results after writes.
  let following: StoreFollowing

  /// The worker that opens stores, one at a time. SQLite shares the -shm file among the connections of a process. While
  /// a connection that can only read this file is open, such as the one in `writer(of:among:)`, no other connection can
  /// write.
  package static let opener = SerialWorker(named: "storetool.open")

  private init(
    _ store: Store, model: DataModel, layout: StoreLayout, worker: SerialWorker,
    readers: ReaderPool?,
    _ options: Options, in temporaryFolder: TemporaryStoreFolder? = nil
  ) {
    file = store.path
    self.temporaryFolder = temporaryFolder
    self.options = options
    self.readers = readers
    self.model = model
    self.store = store
    self.layout = layout
    rowWrites = RowWriteCache(for: layout, storeUUID: store.metadata.uuid)
    self.worker = worker
    following = StoreFollowing(
      store.path, options.isReadOnly ? .withoutTrace : .besideWriter, layout)
  }

  /// Wraps a store that the caller opens and closes, for work in one transaction.
  package convenience init(within store: Store, layout: StoreLayout) {
    self.init(
      store, model: layout.model, layout: layout, worker: SerialWorker(named: "storetool.within"),
      readers: nil, Options())
  }

  deinit {
    // Close the writing connection last, because it copies the -wal file into the store and removes it.
    readers?.release()
  }

  /// Opens a store for reading and writing, or with `Options.readOnly` for reading only. The store closes when it is
  /// released, or earlier with `close`.
  ///
  /// - Parameters:
  ///   - path: the path of the store. Requests also maintain its persistent history and its external files.
  ///   - models: the versions that may have written the store. `model` becomes the first of them that has the version
  ///     hashes of the store, either as a whole or in one of its configurations.
  ///   - options: timeouts, concurrency and observation of requests.
  /// - Returns: the open store.
  /// - Throws: `StoreError` with the reason `notFound`, `notAStore`, `unknownVersion` (the diagnostics list the
  ///   differences from the closest model), `unsupportedStore` if the store's triggers or history can't be maintained,
  ///   `locked`, `readOnly` if the file is write-protected, `inputOutput`, or `damaged`.
  public static func open(
    _ path: some FileLocation, models: [DataModel], options: Options = Options()
  ) async throws -> PersistentStore {
    let path = try storePath(path)
    return try await open(path, models: models, options) { path in
      try Store.open(
        path, options.isReadOnly ? .reading : .writing, lockTimeout: options.lockTimeout)
    }
  }

  /// Opens a store that was created in a temporary folder, which the store removes when it is closed.
  static func open(
    _ path: LocalPath, model: DataModel, _ options: Options, in folder: TemporaryStoreFolder
  ) async throws -> PersistentStore {
    try await open(path, models: [model], options, in: folder) { path in
      try Store.openTemporary(path, lockTimeout: options.lockTimeout)
    }
  }

  /// - Parameter connect: opens the file.
  private static func open(
    _ path: LocalPath, models: [DataModel], _ options: Options,
    in folder: TemporaryStoreFolder? = nil,
    connect: @escaping @Sendable (LocalPath) throws -> Store
  ) async throws -> PersistentStore {
    let worker = SerialWorker(named: "storetool.store")
    return try await opener.run { _ in
      do {
        let (model, configuration) = try writer(of: path, among: models)
        let store = try connect(path)
        try store.database.followStatements(for: options.observer)
        let layout = try store.readableLayout(for: model, configuration: configuration)
        return PersistentStore(
          store, model: model, layout: layout, worker: worker,
          readers: try ReaderPool(for: path, options), options, in: folder)
      } catch {
        throw StoreError.translating(error)
      }
    }
  }

  /// Determines the model from a read-only connection, so that a store of another model doesn't change.
  package static func writer(
    of path: LocalPath, among models: [DataModel]
  ) throws -> (DataModel, StoreModel.ConfigurationDescription?) {
    try Store.open(path, .reading).closing { try writer(of: $0, among: models) }
  }

  /// Returns the first model with the version hashes of the store, and its configuration if the store only contains the
  /// entities of one configuration.
  ///
  /// - Throws: `StoreLayoutError.unknownVersion`
  package static func writer(
    of store: Store, among models: [DataModel]
  ) throws(StoreLayoutError) -> (DataModel, StoreModel.ConfigurationDescription?) {
    let candidates = models.map { VersionCandidate.all(of: $0) }
    let all = candidates.flatMap(\.self)
    let fitting = try store.knownVersions(among: all).first.map { all[$0] }
    for (model, own) in zip(models, candidates) {
      guard let fitting, own.contains(fitting) else { continue }
      return (model, model.configurations.first { $0.name == fitting.configuration })
    }
    throw .unknownVersion(
      path: store.path, VersionGap(closest: nil, differences: [], verdict: .noModel))
  }

  /// Creates an empty store in Core Data's layout, without opening it.
  ///
  /// - Parameters:
  ///   - path: the path of the new store.
  ///   - model: the model of the store.
  ///   - settings: the history, the journal and the page size of the store.
  /// - Returns: notes about features of the model that haven't been verified with a store of Core Data.
  /// - Throws: `StoreError` with the reason `exists` if the file exists, `notFound` if the folder doesn't exist,
  ///   `invalidRequest` if SQLite doesn't support the page size, or `inputOutput`.
  @discardableResult
  public static func create(
    _ path: some FileLocation, for model: DataModel, settings: NewStoreSettings = NewStoreSettings()
  ) async throws -> [DiagnosticMessage] {
    let path = try storePath(path)
    let properties = try settings.properties
    return try await opener.run { _ in
      do {
        return try Store.create(at: path, for: model, properties: properties)
          .map { DiagnosticMessage(.note, "create.unsettled", $0) }
      } catch {
        throw StoreError.translating(error)
      }
    }
  }

  /// Closes the store after all previous requests. Later requests, and further iteration over `ObjectIDs`, throw a
  /// `StoreError` with the reason `closed`. The changes of live results end. If the store is already closed, nothing
  /// happens.
  ///
  /// - Throws: `StoreError` if SQLite can't close the file.
  public func close() async throws {
    guard !isClosed.load(ordering: .relaxed) else { return }
    do {
      try await perform(StoreRequest(.close)) { _, _ in
        self.following.close()
        try self.readers?.close()
        self.isClosed.store(true, ordering: .relaxed)
        try self.store.close()
        try self.temporaryFolder?.remove()
      }
    } catch let error as StoreError where error.reason == .closed {
      // Another task has closed the store in the meantime.
    }
  }
}

// MARK: State

extension PersistentStore {
  /// - Throws: `StoreError` if the store is closed.
  func requireOpen() throws {
    guard !isClosed.load(ordering: .relaxed) else { throw StoreError.closed(file) }
  }

  /// Runs cleanup work on the store's queue, unless the store is closed by then.
  func scheduleCleaning(_ work: @escaping @Sendable (Store) -> Void) {
    worker.schedule { [self] in
      if !isClosed.load(ordering: .relaxed) { work(store) }
    }
  }

  func nextKeptNumber() -> Int {
    keptCount.add(1, ordering: .relaxed).newValue
  }
}

extension PersistentStore {
  /// The timeouts, the concurrency and the observation of requests.
  public struct Options: Sendable {
    /// The maximum time to wait for the lock of another process. Afterwards the request fails with `locked`.
    public var lockTimeout: Duration
    /// The maximum time to wait for other requests of this program. Afterwards the request fails with `timedOut`. `nil`
    /// means no limit. Use `within` to limit the total time.
    public var turnTimeout: Duration?
    /// The maximum number of concurrent reads. With 0, all requests run one after the other. Each reader uses a thread
    /// and up to 2 MB from the first time that it is needed.
    public var readers: Int
    /// The observer of the requests. Without an observer, nothing is measured.
    public var observer: (any StoreObserver)?
    /// Whether the store is opened for reading only. See `readOnly`.
    public var isReadOnly: Bool
    /// The history, the journal and the page size of a store that is created. They don't change an existing store.
    public var newStore: NewStoreSettings

    /// Creates options.
    ///
    /// - Parameters:
    ///   - lockTimeout: the maximum time to wait for the lock of another process.
    ///   - turnTimeout: the maximum time to wait for other requests of this program.
    ///   - readers: the maximum number of concurrent reads.
    ///   - observer: the observer of the requests.
    ///   - isReadOnly: whether the store is opened for reading only.
    ///   - newStore: the history, the journal and the page size of a store that is created.
    public init(
      lockTimeout: Duration = .seconds(2), turnTimeout: Duration? = nil, readers: Int = 4,
      observer: (any StoreObserver)? = nil, isReadOnly: Bool = false,
      newStore: NewStoreSettings = NewStoreSettings()
    ) {
      self.lockTimeout = lockTimeout
      self.turnTimeout = turnTimeout
      self.readers = readers
      self.observer = observer
      self.isReadOnly = isReadOnly
      self.newStore = newStore
    }

    /// The options for a store that must not change: in an app's bundle, in a backup, on a volume that can't be
    /// written, or in the container of another app.
    ///
    ///     let store = try await PersistentStore.open("Backup.sqlite", schema: ShopModel.self, options: .readOnly)
    ///
    /// The store and its folder aren't changed, and no files are created. Requests that write throw a `StoreError` with
    /// the reason `readOnly`. `openOrCreate` doesn't create a store, and no migration runs. If another process writes
    /// to the store, later reads see its changes. A read that another process disturbs throws the reason `locked`. Try
    /// it again.
    public static var readOnly: Options { Options(isReadOnly: true) }
  }
}
