import Dispatch
import SQLiteAccess
import StoreCore
import StoreDiagnostics
import StoreLayout
import Synchronization

/// A list or a value that is read again after each write to the store.
protocol StoreFollower: AnyObject, Sendable {
  /// Whether the store is checked for writes as long as the follower exists.
  var needsChecks: Bool { get }
  /// Reads again. It is called on the queue of `StoreFollowing`, after each write and possibly without a write.
  ///
  /// - Throws: `DatabaseError`. If the error `isPassing`, the function is called again soon. All other errors end the
  ///   follower.
  func update(from store: Store) throws
  /// Ends the follower and wakes its tasks. Only the first call has an effect.
  func end(_ result: Result<Void, any Error>)
}

/// Detects the writes to a store for all of its live results. It has one connection and one queue, which exist as long
/// as a follower exists.
///
/// Writes of the same `PersistentStore` are reported by `hasten`. For writes of others, the store is checked every five
/// milliseconds after a write, and gradually less often until the next one.
final class StoreFollowing: Sendable {
  private struct Registry {
    struct Entry {
      weak var follower: (any StoreFollower)?
    }

    var entries: [Entry] = []
    var isClosed = false

    var followers: [any StoreFollower] { entries.compactMap(\.follower) }
  }

  /// The state of the queue, which is locked only by work on the queue.
  private struct State {
    /// Nil while no follower exists.
    var connection: LiveConnection?
    var lastWrite = ContinuousClock.now
    var isCheckScheduled = false
  }

  let path: LocalPath
  let worker = SerialWorker(named: "storetool.results")
  private let mode: LiveConnection.OpenMode
  private let layout: StoreLayout
  private let registry = Mutex(Registry())
  private let state = Mutex(State())
  /// Whether there may be followers. `hasten` reads it instead of the registry, because a follower that is released
  /// calls `hasten`, possibly on a thread that has locked the registry.
  private let isInUse = Atomic(false)
  /// Whether `hasten` has scheduled a check that hasn't begun.
  private let isHastened = Atomic(false)

  /// - Parameter layout: the layout of the store.
  init(_ path: LocalPath, _ mode: LiveConnection.OpenMode, _ layout: StoreLayout) {
    self.path = path
    self.mode = mode
    self.layout = layout
  }

  /// Checks for writes as soon as the queue is free. Does nothing without followers.
  func hasten() {
    guard isInUse.load(ordering: .sequentiallyConsistent),
      !isHastened.exchange(true, ordering: .sequentiallyConsistent)
    else { return }
    worker.schedule { [weak self] in self?.check() }
  }

  /// Creates a follower, which is updated after each later write until it is released.
  ///
  /// - Parameter make: reads the current state.
  /// - Throws: `StoreError` or `CancellationError`, also for errors of `make`.
  func add<Follower: StoreFollower>(
    _ make: @escaping @Sendable (Store, Cancellation) throws -> Follower
  ) async throws -> Follower {
    try await worker.run { [self] cancellation in
      try state.withLock { state in
        defer { endUnusedConnection(&state) }
        return try translating {
          guard registry.withLock({ !$0.isClosed }) else { throw StoreError.closed(path) }
          // From now on, writes of this program are noticed.
          isInUse.store(true, ordering: .sequentiallyConsistent)
          let follower = try make(try store(&state), cancellation)
          try registry.withLock { registry in
            guard !registry.isClosed else { throw StoreError.closed(path) }
            registry.entries.append(Registry.Entry(follower: follower))
          }
          scheduleCheck(&state)
          return follower
        }
      }
    }
  }

  /// Runs work with the connection, for an existing follower.
  ///
  /// - Throws: `StoreError` or `CancellationError`, also for errors of `work`.
  func perform<Result: Sendable>(
    _ work: @escaping @Sendable (Store, Cancellation) throws -> Result
  ) async throws -> Result {
    try await worker.run { [self] cancellation in
      try state.withLock { state in
        defer { endUnusedConnection(&state) }
        return try translating {
          guard registry.withLock({ !$0.isClosed }) else { throw StoreError.closed(path) }
          return try work(try store(&state), cancellation)
        }
      }
    }
  }

  /// Ends all followers, and blocks the thread until the connection is closed. New followers are rejected.
  func close() {
    let followers = registry.withLock { registry in
      defer { registry.entries = [] }
      registry.isClosed = true
      return registry.followers
    }
    for follower in followers { follower.end(.success(())) }
    worker.runNow { state.withLock { endUnusedConnection(&$0) } }
  }

  private func translating<Result>(_ body: () throws -> Result) throws -> Result {
    do { return try body() } catch { throw StoreError.translating(error) }
  }
}

// MARK: On the queue

extension StoreFollowing {
  /// Returns the connection, which is opened if necessary.
  ///
  /// - Throws: `DatabaseError`
  private func store(_ state: inout State) throws -> Store {
    if state.connection == nil {
      var connection = try LiveConnection(path, mode, layout)
      // Later checks report writes after this one.
      _ = try connection.hasChanged()
      state.connection = connection
      state.lastWrite = .now
    } else if state.connection?.isLive == false {
      // Such a connection must be opened again after a write.
      update(&state)
    }
    // `update` closes the connection if it can't be opened again.
    guard let connection = state.connection else { return try store(&state) }
    return connection.store
  }

  private func endUnusedConnection(_ state: inout State) {
    let isUsed = registry.withLock { registry in
      registry.entries.removeAll { $0.follower == nil }
      return !registry.entries.isEmpty
    }
    isInUse.store(isUsed, ordering: .sequentiallyConsistent)
    if !isUsed { state.connection = nil }
  }

  private func check() {
    isHastened.store(false, ordering: .sequentiallyConsistent)
    state.withLock { state in
      endUnusedConnection(&state)
      update(&state)
    }
  }

  /// Updates the followers if the store was written.
  private func update(_ state: inout State) {
    var ended: [ObjectIdentifier] = []
    do {
      guard try state.connection?.hasChanged() == true, let store = state.connection?.store else {
        return
      }
      state.lastWrite = .now
      for follower in registry.withLock({ $0.followers }) {
        do {
          try follower.update(from: store)
        } catch let error as DatabaseError where error.isPassing {
          throw error
        } catch {
          follower.end(.failure(StoreError.translating(error)))
          ended.append(ObjectIdentifier(follower))
        }
      }
    } catch let error as DatabaseError where error.isPassing {
      // The next check updates all followers.
      state.connection?.forget()
    } catch {
      for follower in registry.withLock({ $0.followers }) {
        follower.end(.failure(StoreError.translating(error)))
        ended.append(ObjectIdentifier(follower))
      }
    }
    guard !ended.isEmpty else { return }
    registry.withLock { registry in
      registry.entries.removeAll { entry in
        entry.follower.map { ended.contains(ObjectIdentifier($0)) } ?? true
      }
    }
    endUnusedConnection(&state)
  }

  /// Schedules the next regular check, unless it is already scheduled.
  private func scheduleCheck(_ state: inout State) {
    guard !state.isCheckScheduled,
      registry.withLock({ $0.followers.contains { $0.needsChecks } })
    else { return }
    state.isCheckScheduled = true
    let pause = Self.pause(after: .now - state.lastWrite)
    worker.queue.asyncAfter(deadline: .now() + pause / .seconds(1)) { [weak self] in
      guard let self else { return }
      check()
      self.state.withLock { state in
        state.isCheckScheduled = false
        scheduleCheck(&state)
      }
    }
  }

  /// Returns the time until the next check: 5 ms at first, and 40 ms if nothing was written for about half a second.
  static func pause(after quiet: Duration) -> Duration {
    min(max(quiet / 16, .milliseconds(5)), .milliseconds(40))
  }
}
