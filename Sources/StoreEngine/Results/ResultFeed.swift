import SQLiteAccess
import StoreDiagnostics
import Dispatch
import Synchronization

/// Keeps the list of a request up to date on a separate thread, and delivers it to waiting tasks.
package final class ResultFeed: Sendable {
  fileprivate struct Board {
    var list: ResultList
    /// Set after the last list.
    var end: Result<Void, any Error>?
    var waiters: [Int: Waiter] = [:]
    var waiterCount = 0
  }

  fileprivate struct Waiter {
    /// The generation of the list that the waiter already has.
    var generation: Int
    var continuation: CheckedContinuation<ResultList?, any Error>
  }

  private let path: FilePath
  private let worker: SerialWorker
  /// Nil after the feed has ended.
  private let rows: Mutex<LiveRows?>
  private let board: Mutex<Board>
  private let cancellation = Cancellation()
  /// The file in which the list is stored when the feed begins and ends.
  private let cache: ResultCache?
  private let firstGeneration: Int
  /// The handler runs on one thread at a time, because the dispatch queue is serial.
  private nonisolated(unsafe) let timer: (any DispatchSourceTimer)?

  /// The time between two checks. A check takes a few microseconds.
  private static let interval = DispatchTimeInterval.milliseconds(5)

  /// - Parameter follows: false for rows that are read once.
  init(
    _ rows: LiveRows, of path: FilePath, on worker: SerialWorker, follows: Bool,
    savingTo cache: ResultCache? = nil
  ) {
    self.path = path
    self.worker = worker
    self.cache = cache
    firstGeneration = rows.list.generation
    board = Mutex(Board(list: rows.list))
    self.rows = Mutex(rows)
    // Generation 0 means that the list is unchanged since it was loaded from the cache.
    if rows.list.generation > 0 { cache?.save(rows.kept) }
    timer = follows ? DispatchSource.makeTimerSource(queue: worker.queue) : nil
    guard let timer else { return }
    timer.setEventHandler { [weak self] in self?.look() }
    timer.schedule(
      deadline: .now() + Self.interval, repeating: Self.interval, leeway: .milliseconds(1))
    timer.activate()
  }

  deinit {
    timer?.cancel()
    save()
  }

  /// Stores the list in its cache if it has changed since the feed began. Only the first call has an effect.
  private func save() {
    let rows = rows.withLock { rows in
      defer { rows = nil }
      return rows
    }
    if let rows, rows.list.generation > firstGeneration { cache?.save(rows.kept) }
  }

  var list: ResultList { board.withLock { $0.list } }

  /// Checks for writes as soon as the thread is free.
  func hasten() {
    worker.schedule { [weak self] in self?.look() }
  }

  /// Ends the feed and wakes the waiting tasks. Only the first call has an effect.
  func end(_ result: Result<Void, any Error> = .success(())) {
    cancellation.request()
    timer?.cancel()
    let waiters = board.withLock { board in
      if board.end == nil { board.end = result }
      defer { board.waiters = [:] }
      return Array(board.waiters.values)
    }
    for waiter in waiters { waiter.continuation.resume(with: result.map { nil }) }
    // Releasing the rows closes the connection.
    worker.schedule { self.save() }
  }

  /// Ends the feed and waits until its connection is closed.
  ///
  /// - Throws: `CancellationError`
  func finish() async throws {
    end()
    try await worker.run { _ in }
  }

  private func look() {
    guard timer != nil else { return }
    do {
      let list = try rows.withLock { try $0?.update(cancellation: cancellation) }
      if let list { publish(list) }
    } catch {
      guard !cancellation.isRequested else { return }
      end(.failure(StoreError.translating(error)))
    }
  }

  private func publish(_ list: ResultList) {
    let waiters = board.withLock { board in
      board.list = list
      let waiters = board.waiters.filter { $0.value.generation != list.generation }
      for number in waiters.keys { board.waiters[number] = nil }
      return Array(waiters.values)
    }
    for waiter in waiters { waiter.continuation.resume(returning: list) }
  }
}

// MARK: Waiting

extension ResultFeed {
  /// Waits until there is a list with another generation, and returns it. Returns nil if the feed has ended.
  ///
  /// - Throws: `StoreError` if reading fails; `CancellationError`.
  func list(after generation: Int) async throws -> ResultList? {
    let number = board.withLock { board in
      board.waiterCount += 1
      return board.waiterCount
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let answer = board.withLock { board in
          // Check under the lock, which the cancellation handler takes too.
          Task.isCancelled
            ? .failure(CancellationError())
            : board.answer(number, Waiter(generation: generation, continuation: continuation))
        }
        if let answer { continuation.resume(with: answer) }
      }
    } onCancel: {
      let waiter = board.withLock { $0.waiters.removeValue(forKey: number) }
      waiter?.continuation.resume(throwing: CancellationError())
    }
  }

  /// Runs work with the rows on the feed's thread.
  ///
  /// - Throws: `StoreError`, `CancellationError`.
  func perform<Result: Sendable>(
    _ work: @escaping @Sendable (borrowing LiveRows, Cancellation) throws -> Result
  ) async throws -> Result {
    try await worker.run { [self] cancellation in
      try rows.withLock { rows in
        guard let rows else { throw StoreError.closed(path) }
        do {
          return try work(rows, cancellation)
        } catch {
          throw StoreError.translating(error)
        }
      }
    }
  }
}

extension ResultFeed.Board {
  /// Returns the result for a waiter, or nil if the waiter has to wait.
  fileprivate mutating func answer(
    _ number: Int, _ waiter: ResultFeed.Waiter
  ) -> Result<ResultList?, any Error>? {
    if list.generation != waiter.generation { return .success(list) }
    if let end { return end.map { nil } }
    waiters[number] = waiter
    return nil
  }
}
