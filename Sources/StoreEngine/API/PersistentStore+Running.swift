import SQLiteAccess
import StoreDiagnostics
import StoreCore

// All requests run through these functions, which select the thread, and handle turns, observers and limits.
extension PersistentStore {
  /// Runs work in its turn.
  ///
  /// - Throws: `StoreError`, `CancellationError`, or an error of the caller.
  func perform<Result: Sendable>(
    _ request: StoreRequest,
    _ work: @escaping @Sendable (Cancellation, RequestRun?) throws -> Result
  ) async throws -> Result {
    try await followed(request) { run in try await inTurn(request, run, work) }
  }

  /// Runs work that only reads, in parallel with writers if possible.
  ///
  /// - Parameter once: whether the work is one statement, which doesn't require a transaction.
  /// - Throws: `StoreError`, `CancellationError`, or an error of the caller.
  func performReading<Result: Sendable>(
    _ request: StoreRequest, once: Bool = false,
    _ work: @escaping @Sendable (Connection, Cancellation, RequestRun?) throws -> Result
  ) async throws -> Result {
    try await followed(request) { run in
      let reading = { @Sendable [self] (reader: Store, cancellation: Cancellation) in
        let body = { [store] (connection: Connection) in
          // Only the store knows the errors of its file.
          try store.mappingErrors(connection) { try work(connection, cancellation, run) }
        }
        return once
          ? try reader.readOnce(cancellation: cancellation, body)
          : try reader.read(cancellation: cancellation, body)
      }
      do {
        let result = try await readers?.run(
          waitingAtMost: options.turnTimeout,
          orThrowing: lateness(of: request) { "other reads" }
        ) { reader, cancellation in
          guard let run else { return try reading(reader, cancellation) }
          return try run.work(on: reader.database) { try reading(reader, cancellation) }
        }
        if let result { return result }
      } catch {
        throw translating(error, of: request)
      }
      return try await inTurn(request, run) { [self] cancellation, _ in
        try reading(store, cancellation)
      }
    }
  }

  private func inTurn<Result: Sendable>(
    _ request: StoreRequest, _ run: RequestRun?,
    _ work: @escaping @Sendable (Cancellation, RequestRun?) throws -> Result
  ) async throws -> Result {
    try await worker.run(
      // Closing the store has no limit.
      waitingAtMost: request.kind == .close ? nil : options.turnTimeout,
      orThrowing: lateness(of: request) { [turn] in turn.description }
    ) { [self] cancellation in
      do {
        try requireOpen()
        // Live results notice the change immediately.
        defer { hastenFeeds() }
        return try turn.running(request) {
          guard let run else { return try work(cancellation, nil) }
          return try run.work(on: store.database) { try work(cancellation, run) }
        }
      } catch {
        throw translating(error, of: request)
      }
    }
  }

  /// Notifies the observer of a request, and the enclosing limit.
  private func followed<Result>(
    _ request: StoreRequest, _ body: (RequestRun?) async throws -> Result
  ) async throws -> Result {
    guard let run = follow(request) else { return try await body(nil) }
    do {
      let result = try await body(run)
      run.end(nil, openReaders: openReaders)
      return result
    } catch {
      run.end(error, openReaders: openReaders)
      throw error
    }
  }

  /// Returns nil without an observer and a limit.
  func follow(_ request: StoreRequest) -> RequestRun? {
    let observer = options.observer.flatMap { $0.begin(request, on: path) }
    let limit = RequestLimit.current
    guard observer != nil || limit != nil else { return nil }
    let run = RequestRun(request, observer: observer)
    limit?.note(run)
    return run
  }

  var openReaders: Int { readers?.openCount ?? 0 }

  /// Converts an error to a public error, which contains the request that waited for a lock.
  private func translating(_ error: any Error, of request: StoreRequest) -> any Error {
    if case DatabaseError.locked = error {
      return StoreError.locked(file, for: request, after: options.lockTimeout)
    }
    return StoreError.translating(error)
  }

  private func lateness(
    of request: StoreRequest, behind others: @escaping @Sendable () -> String
  ) -> @Sendable () -> any Error {
    { [file, options] in
      StoreError.late(file, request, after: options.turnTimeout ?? .zero, behind: others())
    }
  }
}

// MARK: Limits

extension PersistentStore {
  /// Runs requests with a time limit, which includes waiting for turns and for locks. After the limit, the current
  /// request is interrupted and rolled back.
  ///
  ///     let done = try await store.within(.seconds(2)) { try await store.batchUpdate(update) }
  ///
  /// Each request is a separate change, and completed requests aren't rolled back. To combine several requests, use
  /// `transaction`.
  ///
  /// - Parameters:
  ///   - limit: the time limit.
  ///   - work: the requests.
  /// - Throws: an error of `work`; `StoreError` with the reason `timedOut`, whose message contains the state of the
  ///   last request; `CancellationError`.
  public func within<Result: Sendable>(
    _ limit: Duration, _ work: @escaping @Sendable () async throws -> Result
  ) async throws -> Result {
    let requests = RequestLimit()
    return try await withThrowingTaskGroup(of: Result?.self) { group in
      group.addTask { try await RequestLimit.$current.withValue(requests) { try await work() } }
      group.addTask {
        do {
          try await Task.sleep(for: limit)
        } catch is CancellationError {
          // The work is done, or the task is canceled.
        }
        return nil
      }
      defer { group.cancelAll() }
      if let result = try await group.next() ?? nil { return result }
      let isCancelled = Task.isCancelled
      // The state must be read before the request is interrupted.
      let failure = StoreError.timedOut(file, after: limit, requests.run.map { status(of: $0) })
      group.cancelAll()
      do {
        // The work may be done now.
        if let result = try await group.next() ?? nil { return result }
      } catch let error as CancellationError {
        throw isCancelled ? error : failure
      }
      throw CancellationError()
    }
  }

  /// The state of a request, for a message.
  private func status(of run: RequestRun) -> String {
    guard run.isRunning else {
      return "\(run.request) waited for its turn after \(turn.description)"
    }
    if let wait = store.database.currentLockWait {
      return "\(run.request) waited \(wait.inWords) for another process that holds the store"
    }
    return "\(run.request) was at work"
  }
}
