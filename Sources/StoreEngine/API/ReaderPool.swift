import SQLiteAccess
import StoreDiagnostics
import Synchronization
import StoreCore

/// Additional connections for concurrent reads, each with a thread. They are opened on demand.
///
/// All of them take their work from one queue, so a quick read doesn't wait for a slow one while a connection is free.
///
/// If the store is open for writing, the pool requires WAL mode. With a rollback journal, a reader and a writer would
/// lock each other out.
final class ReaderPool: Sendable {
  private let path: LocalPath
  private let file: FileIdentity
  private let options: PersistentStore.Options
  private let lanes: [Lane]
  private let queue: Mutex<Queue>

  private struct Queue {
    /// The work that waits for a connection.
    var items: [@Sendable (Lane) -> () -> Void] = []
    /// The connections without work. The last one was used last.
    var idle: [Lane]
    /// Whether new work must wait until the connections are closed.
    var isClosed = false
  }

  /// Returns nil if the options don't allow concurrent reads, or if the store is open for writing with a rollback
  /// journal. A store that is open for reading always has a pool, because its connections must be opened again after
  /// writes of other processes.
  ///
  /// - Parameter path: the path of a store that was just opened.
  init?(for path: LocalPath, _ options: PersistentStore.Options) throws {
    let allowsPool =
      try options.isReadOnly || options.readers > 0 && DatabaseFile(path).journalInUse == .wal
    guard allowsPool, let file = FileIdentity(of: path) else { return nil }
    self.path = path
    self.file = file
    self.options = options
    lanes = (1...max(1, options.readers)).map { Lane(named: "storetool.reader-\($0)") }
    queue = Mutex(Queue(idle: lanes.reversed()))
  }

  var openCount: Int { lanes.count { $0.isOpen } }

  /// Runs work on the next free connection, in the order of the calls.
  ///
  /// - Parameters:
  ///   - limit: the maximum time to wait for a connection. Nil means no limit.
  ///   - lateness: creates the error to throw after `limit`.
  /// - Returns: nil if the file at the path was replaced or removed, so that a new connection wouldn't read the file
  ///   that the store has open.
  /// - Throws: the errors of `work`; `DatabaseError`; `CancellationError` if `work` didn't begin; `StoreError` if the
  ///   pool is closed.
  func run<Result: Sendable>(
    waitingAtMost limit: Duration?, orThrowing lateness: @escaping @Sendable () -> any Error,
    _ work: @escaping @Sendable (Store, Cancellation) throws -> Result
  ) async throws -> Result? {
    try await waitingForTurn(atMost: limit, orThrowing: lateness) {
      [self] (lane: Lane, cancellation) in
      try lane.store(at: path, of: file, options).map { try work($0, cancellation) }
    } enqueue: { item in
      let (lane, isClosed) = queue.withLock { queue -> (Lane?, Bool) in
        guard !queue.isClosed else { return (nil, true) }
        queue.items.append(item)
        return (queue.idle.popLast(), false)
      }
      if let lane { lane.worker.schedule { self.work(on: lane) } }
      // The item throws, because it runs after the connection was closed.
      if isClosed { lanes[0].worker.schedule { [lane = lanes[0]] in item(lane)() } }
    }
  }

  /// Runs the waiting work until the queue is empty.
  private func work(on lane: Lane) {
    var next = nextItem(for: lane)
    while let item = next {
      let letTaskContinue = item(lane)
      // The connection is free before the task continues. Otherwise the task's next read could open another connection.
      next = nextItem(for: lane)
      letTaskContinue()
    }
  }

  private func nextItem(for lane: Lane) -> (@Sendable (Lane) -> () -> Void)? {
    queue.withLock { queue in
      guard !queue.items.isEmpty else {
        queue.idle.append(lane)
        return nil
      }
      return queue.items.removeFirst()
    }
  }

  /// Closes the connections after all previous work, and blocks the thread until then.
  ///
  /// - Throws: `DatabaseError`
  func close() throws {
    // Otherwise a connection might never become free, because tasks read continually.
    queue.withLock { $0.isClosed = true }
    for lane in lanes { try lane.close() }
  }

  /// Releases the connections. No work may be running.
  func release() {
    for lane in lanes { lane.release() }
  }

  /// A connection and its thread.
  private final class Lane: Sendable {
    let worker: SerialWorker
    private let connection = Mutex(State.unopened)

    private enum State {
      case unopened
      case open(Store)
      case closed
    }

    init(named name: String) { worker = SerialWorker(named: name) }

    var isOpen: Bool {
      connection.withLock { if case .open = $0 { true } else { false } }
    }

    func store(
      at path: LocalPath, of file: FileIdentity, _ options: PersistentStore.Options
    ) throws -> Store? {
      try connection.withLock { connection in
        switch connection {
        case .open(let store):
          if try store.isCurrent() { return store }
          connection = .unopened
          try store.close()
        case .closed: throw StoreError.closed(path)
        case .unopened: break
        }
        guard FileIdentity(of: path) == file else { return nil }
        let store = try PersistentStore.openedReader(path, options)
        guard FileIdentity(of: path) == file else { return nil }
        connection = .open(store)
        return store
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
