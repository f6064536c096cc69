package import SQLiteAccess
package import StoreCore
public import StoreDiagnostics
package import StoreLayout
public import StoreModel
import Synchronization

/// A Core Data store that is open, with the model that wrote it: where batch requests are run.
///
///     let bundle = try ModelBundle(at: "Models/Todo.xcdatamodeld")
///     let models = try bundle.versions.map { try $0.read().model }
///     let store = try await PersistentStore.open("Todo.sqlite", models: models)
///     let done = try await store.batchUpdate(
///       BatchUpdate(entity: "Item", values: [.init("done", .value(.boolean(true)))]))
///
/// Each request is one transaction: when it throws, the store is as it was. Writing requests of several tasks
/// are run one after the other, in the order in which they were made. In a store in WAL mode, which is what
/// Core Data makes, reading ones run beside them and beside each other, each on one state of the store that has all
/// writes that were done before it began; with a rollback journal they take their turn. A task that waits blocks no
/// thread of Swift's pool. Cancelling the task ends a request within milliseconds, rolls back, and throws
/// `CancellationError`.
///
/// All errors but `CancellationError` are `StoreError`s. Another process that writes is waited for two seconds, or as
/// long as the `Options` say, then the failure's reason is `locked`; `within` limits what a request may take.
public final class PersistentStore: Sendable {
  /// As it was given to `open`.
  public var path: String { "\(file)" }
  let file: FilePath
  /// The model version that wrote the store, out of those given to `open`.
  public let model: Model
  let store: Store
  let layout: StoreLayout
  let options: Options
  let worker: SerialWorker
  /// Nil where readers and writers would lock each other out.
  let readers: ReaderPool?
  let turn = CurrentTurn()
  /// Requests that need not be compiled again.
  let readings = ReadingCache()
  private let isClosed = Atomic(false)
  private let keptCount = Atomic(0)
  /// The lists that follow the store, as long as somebody has them.
  private let feeds = Mutex<[WeakFeed]>([])

  /// One store is opened at a time: SQLite shares the -shm among the connections of a process, and beside
  /// one that may only read it, which `writer` opens, none can write.
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

  /// A store that somebody else has open and closes, with rows where a layout says: for work in one transaction.
  package convenience init(within store: Store, layout: StoreLayout) {
    self.init(
      store, model: layout.model, layout: layout, worker: SerialWorker(named: "storetool.within"),
      readers: nil, Options())
  }

  deinit {
    // The connection that may write comes last: it moves the -wal into the file and removes it.
    readers?.release()
  }

  /// Opens a store for reading and writing. It closes when it is released; `close` does so earlier.
  ///
  /// - Parameters:
  ///   - path: the store's file. Persistent history and external files beside it are kept right.
  ///   - models: the versions that may have written it. The first whose version hashes, as a whole or
  ///     of one of its configurations, are those that the store carries becomes `model`.
  ///   - options: how it deals with its requests.
  /// - Throws: `StoreError`: `notFound`; `notAStore`; `unknownVersion`, with what differs from the
  ///   closest model; `unsupportedStore` for one whose triggers or history could not be kept right;
  ///   `locked`, `inputOutput`, `damaged`.
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

  /// Looks at a store without touching it, so that one of another model stays as it is.
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

  /// Makes an empty store in Core Data's layout; `open` opens it.
  ///
  /// - Returns: notes on what the model asks for that no known store of Core Data's confirms.
  /// - Throws: `StoreError`: `exists`, for a file that is there is never overwritten; `notFound` for
  ///   a missing folder; `inputOutput`.
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

  /// Closes the store when the requests made before are done. Later ones, and reading on in
  /// `ObjectIDs`, throw a `StoreError` with the reason `closed`; the changes of live results end.
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
  /// The lists that follow the store look at once, not by and by.
  func hastenFeeds() { feeds.withLock { feeds in for feed in feeds { feed.feed?.hasten() } } }

  /// - Throws: `StoreError`
  func requireOpen() throws {
    guard !isClosed.load(ordering: .relaxed) else { throw StoreError.closed(file) }
  }

  /// Runs work that clears away, in its turn, unless the store is closed then.
  func scheduleCleaning(_ work: @escaping @Sendable (Store) -> Void) {
    worker.schedule { [self] in
      if !isClosed.load(ordering: .relaxed) { work(store) }
    }
  }

  /// Lets a list know when this store writes, and when it closes.
  ///
  /// - Throws: `StoreError` when the store was closed.
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
  /// How an open store deals with its requests.
  public struct Options: Sendable {
    /// How long a request waits for a lock that another process holds before it fails with `locked`.
    public var lockTimeout: Duration
    /// How long a request waits for its turn behind those of this program before it fails with `timedOut`; nil for as
    /// long as it takes. `within` limits a request as a whole.
    public var turnTimeout: Duration?
    /// How many reads run at a time beside each other and beside a write; with 0 all requests take their turn. Each
    /// costs a thread and up to 2 MB, from the first time that so many are needed.
    public var readers: Int
    /// Who is told of the requests. Without one nothing is measured.
    public var observer: (any StoreObserver)?

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

/// What a target above needs to write rows in a way of its own, in one transaction.
package struct InsertionContext {
  package let connection: Connection
  package let layout: StoreLayout
  /// Its UUID.
  package let store: String
  package let session: HistorySession
  package let cancellation: Cancellation
}

extension PersistentStore {
  /// Adds rows in its turn, all or none.
  ///
  /// - Throws: as `batchInsert`; what `body` throws, translated.
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
