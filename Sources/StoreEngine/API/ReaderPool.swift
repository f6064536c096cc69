import SQLiteAccess
import StoreDiagnostics
import Synchronization
import StoreCore

/// Connections that read beside the one that writes, each with a thread of its own. They are opened when they are first
/// needed.
///
/// Only for a store in WAL mode: beside a rollback journal a reader and a writer would lock each other out.
final class ReaderPool: Sendable {
  private let path: FilePath
  private let file: FileIdentity
  private let options: PersistentStore.Options
  private let lanes: [Lane]

  private init(of path: FilePath, _ file: FileIdentity, _ options: PersistentStore.Options) {
    self.path = path
    self.file = file
    self.options = options
    lanes = (1...options.readers).map { Lane(named: "storetool.reader-\($0)") }
  }

  /// Nil for a store that only one connection should work on.
  ///
  /// - Parameter path: of a store that has just been opened.
  static func make(for path: FilePath, _ options: PersistentStore.Options) throws -> ReaderPool? {
    guard options.readers > 0, try DatabaseFile(path).journalInUse == .wal,
      let identity = FileIdentity(of: path)
    else { return nil }
    return ReaderPool(of: path, identity, options)
  }

  /// How many connections are open.
  var openCount: Int { lanes.count { $0.isOpen } }

  /// Runs work on the connection that has least to do.
  ///
  /// - Parameters:
  ///   - limit: how long it waits for its turn; nil for as long as it takes.
  ///   - lateness: what is thrown when the turn has not come by then.
  /// - Returns: nil where another file has taken the store's place, or none, so that a further connection would read
  ///   something else than the first one.
  /// - Throws: what `work` throws; `DatabaseError`; `CancellationError` when it never began; `StoreError` when the pool
  ///   was closed.
  func run<Result: Sendable>(
    waitingAtMost limit: Duration?, orThrowing lateness: @escaping @Sendable () -> any Error,
    _ work: @escaping @Sendable (Store, Cancellation) throws -> Result
  ) async throws -> Result? {
    let lane = lanes.min { $0.load < $1.load } ?? lanes[0]
    return try await lane.run(waitingAtMost: limit, orThrowing: lateness) { [self] cancellation in
      try lane.store(at: path, of: file, options).map { try work($0, cancellation) }
    }
  }

  /// Closes the connections when what was handed in before is done, and blocks the thread till then.
  ///
  /// - Throws: `DatabaseError`
  func close() throws {
    for lane in lanes { try lane.close() }
  }

  /// Ends the connections, on which nothing can be at work any more.
  func release() {
    for lane in lanes { lane.release() }
  }

  /// One connection and its thread.
  private final class Lane: Sendable {
    private let worker: SerialWorker
    private let pending = Atomic(0)
    private let connection = Mutex(State.unopened)

    private enum State {
      case unopened
      case open(Store)
      case closed
    }

    init(named name: String) { worker = SerialWorker(named: name) }

    /// How many wait for it, the one that runs included.
    var load: Int { pending.load(ordering: .relaxed) }

    var isOpen: Bool {
      connection.withLock { if case .open = $0 { true } else { false } }
    }

    func run<Result: Sendable>(
      waitingAtMost limit: Duration?, orThrowing lateness: @escaping @Sendable () -> any Error,
      _ work: @escaping @Sendable (Cancellation) throws -> Result
    ) async throws -> Result {
      pending.add(1, ordering: .relaxed)
      defer { pending.subtract(1, ordering: .relaxed) }
      return try await worker.run(waitingAtMost: limit, orThrowing: lateness, work)
    }

    func store(
      at path: FilePath, of file: FileIdentity, _ options: PersistentStore.Options
    ) throws -> Store? {
      try connection.withLock { connection in
        switch connection {
        case .open(let store): return store
        case .closed: throw StoreError.closed(path)
        case .unopened:
          guard FileIdentity(of: path) == file else { return nil }
          let store = try PersistentStore.opener.runNow {
            try Store.openReader(path, lockTimeout: options.lockTimeout)
          }
          try store.database.followStatements(for: options.observer)
          guard FileIdentity(of: path) == file else { return nil }
          connection = .open(store)
          return store
        }
      }
    }

    func release() { connection.withLock { $0 = .closed } }

    func close() throws {
      try worker.runNow {
        try connection.withLock { connection in
          if case .open(let store) = connection { try store.close() }
          connection = .closed
        }
      }
    }
  }
}
