package import SQLiteAccess
package import StoreCore
public import StoreDiagnostics
package import StoreLayout
public import StoreModel
import Synchronization

/// An open Core Data store with the model that wrote it, for batch requests and other requests.
///
///     let bundle = try ModelBundle(at: "Models/Todo.xcdatamodeld")
///     let models = try bundle.versions.map { try $0.read().model }
///     let store = try await PersistentStore.open("Todo.sqlite", models: models)
///     let done = try await store.batchUpdate(
///       BatchUpdate(entity: "Item", values: [.init("done", .value(.boolean(true)))]))
///
/// Each request is a transaction: if it throws, the store is unchanged. Requests of several tasks that write run one
/// after another, in the order of their calls. In WAL mode, which Core Data uses, requests that read run in parallel
/// with them and with each other. Each of them reads one state of the store, with all changes that were complete before
/// it began. In a store with a rollback journal, they run in turn. A waiting task doesn't block a thread of Swift's
/// pool. Canceling a task interrupts its request within milliseconds, rolls back, and throws `CancellationError`.
///
/// All errors apart from `CancellationError` are `StoreError`s. If another process is writing, a request waits for two
/// seconds, or for the time in the `Options`, and then fails with the reason `locked`. `within` limits the time of a
/// request.
public final class PersistentStore: Sendable {
  /// The path that was passed to `open`.
  public var path: String { "\(file)" }
  let file: FilePath
  /// The version of the model that wrote the store.
  public let model: Model
  let store: Store
  let layout: StoreLayout
  let options: Options
  let worker: SerialWorker
  /// Nil if readers and writers would lock each other out.
  let readers: ReaderPool?
  let turn = CurrentTurn()
  /// Compiled requests.
  let readings = ReadingCache()
  private let isClosed = Atomic(false)
  private let keptCount = Atomic(0)
  /// The live results of the store, as long as a program uses them.
  private let feeds = Mutex<[WeakFeed]>([])

  /// Stores are opened one at a time. The connections of a process share the -shm file. If one of them is read-only,
  /// which `writer` opens, none of them can write.
  package static let opener = SerialWorker(named: "storetool.open")

  private init(
    _ store: Store, model: Model, layout: StoreLayout, worker: SerialWorker, readers: ReaderPool?,
    _ options: Options
  ) {
    file = store.path
    self.options = options
    self.readers = readers
    self.model = model
    self.store = store
    self.layout = layout
    self.worker = worker
  }

  /// Creates a store from a store that another component opened and closes, with rows as in a layout, for one
  /// transaction.
  package convenience init(within store: Store, layout: StoreLayout) {
    self.init(
      store, model: layout.model, layout: layout, worker: SerialWorker(named: "storetool.within"),
      readers: nil, Options())
  }

  deinit {
    // The connection that can write is closed last, because it moves the -wal to the file and removes it.
    readers?.release()
  }

  /// Opens a store for reading and writing. It is closed when it is released, or earlier by `close`.
  ///
  /// - Parameters:
  ///   - path: the file of the store. Its persistent history and external files are updated too.
  ///   - models: the versions that can have written the store. The first version whose version hashes, or the hashes of
  ///     one of whose configurations, equal the hashes in the store becomes `model`.
  ///   - options: the options of requests.
  /// - Throws: `StoreError`: `notFound`; `notAStore`; `unknownVersion` with the differences from the closest model;
  ///   `unsupportedStore` for triggers or a history that storetool can't update; `locked`, `inputOutput`, `damaged`.
  public static func open(
    _ path: String, models: [Model], options: Options = Options()
  ) async throws -> PersistentStore {
    let path = FilePath(path)
    let worker = SerialWorker(named: "storetool.store")
    return try await opener.run { _ in
      do {
        let (model, configuration) = try writer(of: path, among: models)
        let store = try Store.open(path, .writing, lockTimeout: options.lockTimeout)
        try store.database.followStatements(for: options.observer)
        let layout = try store.readableLayout(for: model, configuration: configuration)
        return PersistentStore(
          store, model: model, layout: layout, worker: worker,
          readers: try ReaderPool.make(for: path, options), options)
      } catch {
        throw StoreError.translating(error)
      }
    }
  }

  /// Reads the metadata without changing files, so that a store of another model remains unchanged.
  private static func writer(
    of path: FilePath, among models: [Model]
  ) throws -> (Model, StoreModel.Configuration?) {
    let store = try Store.open(path, .reading)
    let candidates = models.map { VersionCandidate.all(of: $0) }
    let all = candidates.flatMap(\.self)
    let fitting = try store.knownVersions(among: all).first.map { all[$0] }
    try store.close()
    for (model, own) in zip(models, candidates) {
      guard let fitting, own.contains(fitting) else { continue }
      return (model, model.configurations.first { $0.name == fitting.configuration })
    }
    throw StoreLayoutError.unknownVersion(
      path: path, VersionGap(closest: nil, differences: [], verdict: .noModel))
  }

  /// Creates an empty store in Core Data's layout. `open` opens it.
  ///
  /// - Parameters:
  ///   - path: the file of the store, which must not exist.
  ///   - model: the model of the store.
  /// - Returns: notes about features of the model whose layout isn't known from a store of Core Data.
  /// - Throws: `StoreError`: `exists`, because existing files are never overwritten; `notFound` for a missing folder;
  ///   `inputOutput`.
  @discardableResult
  public static func create(_ path: String, for model: Model) async throws -> [Diagnostic] {
    try await opener.run { _ in
      do {
        return try Store.create(at: FilePath(path), for: model)
          .map { Diagnostic(.note, "create.unsettled", $0) }
      } catch {
        throw StoreError.translating(error)
      }
    }
  }

  /// Closes the store after its pending requests. Later requests, and iterating `ObjectIDs`, throw a `StoreError` with
  /// the reason `closed`. The changes of live results end.
  ///
  /// - Throws: `StoreError`
  public func close() async throws {
    for feed in feeds.withLock({ $0.compactMap(\.feed) }) { try await feed.finish() }
    try await perform(StoreRequest(.close)) { _, _ in
      try self.readers?.close()
      self.isClosed.store(true, ordering: .relaxed)
      try self.store.close()
    }
  }
}

// MARK: State

extension PersistentStore {
  /// Makes the live results check the store immediately.
  func hastenFeeds() { feeds.withLock { feeds in for feed in feeds { feed.feed?.hasten() } } }

  /// - Throws: `StoreError`
  func requireOpen() throws {
    guard !isClosed.load(ordering: .relaxed) else { throw StoreError.closed(file) }
  }

  /// Schedules cleanup in its turn, unless the store is closed then.
  func scheduleCleaning(_ work: @escaping @Sendable (Store) -> Void) {
    worker.schedule { [self] in
      if !isClosed.load(ordering: .relaxed) { work(store) }
    }
  }

  /// Notifies a list when this store writes, and when it is closed.
  ///
  /// - Throws: `StoreError` if the store is closed.
  func follow(_ feed: ResultFeed) throws {
    try requireOpen()
    feeds.withLock { feeds in
      feeds.removeAll { $0.feed == nil }
      feeds.append(WeakFeed(feed: feed))
    }
  }

  private struct WeakFeed {
    weak var feed: ResultFeed?
  }

  func nextKeptNumber() -> Int {
    keptCount.add(1, ordering: .relaxed).newValue
  }
}

extension PersistentStore {
  /// The options of requests to an open store.
  public struct Options: Sendable {
    /// The time a request waits for a lock of another process before it fails with `locked`.
    public var lockTimeout: Duration
    /// The time a request waits for other requests of this program before it fails with `timedOut`, or nil for no
    /// limit. `within` limits the whole request.
    public var turnTimeout: Duration?
    /// The number of reads that can run in parallel with each other and with a write. With 0, all requests run in turn.
    /// Each reader uses a thread and up to 2 MB after its first use.
    public var readers: Int
    /// The observer of the requests. Without one, nothing is measured.
    public var observer: (any StoreObserver)?

    /// Creates options.
    ///
    /// - Parameters:
    ///   - lockTimeout: the time a request waits for a lock of another process.
    ///   - turnTimeout: the time a request waits for other requests of this program, or nil for no limit.
    ///   - readers: the number of parallel reads.
    ///   - observer: the observer of the requests.
    public init(
      lockTimeout: Duration = .seconds(2), turnTimeout: Duration? = nil, readers: Int = 4,
      observer: (any StoreObserver)? = nil
    ) {
      self.lockTimeout = lockTimeout
      self.turnTimeout = turnTimeout
      self.readers = readers
      self.observer = observer
    }
  }
}

/// The context in which another target writes rows with its own statements, in one transaction.
package struct InsertionContext {
  package let connection: Connection
  package let layout: StoreLayout
  /// The UUID of the store.
  package let store: String
  package let session: HistorySession
  package let cancellation: Cancellation
}

extension PersistentStore {
  /// Inserts all rows in its turn, or none.
  ///
  /// - Throws: `StoreError`, `CancellationError`, or a converted error of `body`.
  package func insertRows<Result: Sendable>(
    as author: ChangeAuthor, _ body: @escaping @Sendable (InsertionContext) throws -> Result
  ) async throws -> Result {
    try await perform(StoreRequest(.batchInsert)) { [self] cancellation, _ in
      try store.transact(as: author.origin, cancellation: cancellation) { open in
        try body(
          InsertionContext(
            connection: open.connection, layout: layout, store: store.metadata.uuid,
            session: open.session, cancellation: cancellation))
      }.result
    }
  }
}
