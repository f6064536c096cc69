import SQLiteAccess
import StoreDiagnostics
import StoreCore
import StoreLayout

// All requests except streams pass through these functions. They run the requests on threads that may block, writes one
// after the other and reads in parallel if possible. They also call the observer and apply time limits.
extension PersistentStore {
  /// Runs work on the store's queue, after the previous requests.
  ///
  /// - Throws: `StoreError` or `CancellationError`. Errors of the program's closures are rethrown unchanged.
  func perform<Result: Sendable>(
    _ request: StoreRequest,
    _ work: @escaping @Sendable (Cancellation, RequestRun?) throws -> Result
  ) async throws -> Result {
    try await followed(request) { run in try await inTurn(request, run, work) }
  }

  /// Runs work that only reads, on a connection of the reader pool if possible.
  ///
  /// - Parameter once: whether the work is one statement, which doesn't need a transaction.
  /// - Throws: `StoreError` or `CancellationError`. Errors of the program's closures are rethrown unchanged.
  func performReading<Result: Sendable>(
    _ request: StoreRequest, once: Bool = false,
    _ work: @escaping @Sendable (Connection, Cancellation, RequestRun?) throws -> Result
  ) async throws -> Result {
    try await followed(request) { run in
      let reading = { @Sendable [self] (reader: Store, cancellation: Cancellation) in
        let body = { [store] (connection: Connection) in
          // Only `store`, not the reader, has the layout with which the file is compared after an error.
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
      // Closing the store never times out.
      waitingAtMost: request.kind == .close ? nil : options.turnTimeout,
      orThrowing: lateness(of: request) { [turn] in turn.description }
    ) { [self] cancellation in
      do {
        try requireOpen()
        guard !options.isReadOnly || !request.kind.writes else {
          throw StoreError.readOnly(file, for: request)
        }
        // Live results show the changes of this program immediately.
        defer { if request.kind.writes { following.hasten() } }
        return try turn.running(request) {
          guard let run else { return try work(cancellation, nil) }
          return try run.work(on: store.database) { try work(cancellation, run) }
        }
      } catch {
        throw translating(error, of: request)
      }
    }
  }

  /// Runs a request, and reports its start to the observer and to the current time limit, and its end to the observer.
  func followed<Result>(
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

  /// Starts the measurements of a request. Returns nil if there is neither an observer nor a time limit.
  func follow(_ request: StoreRequest) -> RequestRun? {
    let observer = options.observer.flatMap { $0.begin(request, on: path) }
    let limit = RequestLimit.current
    guard observer != nil || limit != nil else { return nil }
    let run = RequestRun(request, observer: observer)
    limit?.note(run)
    return run
  }

  var openReaders: Int { readers?.openCount ?? 0 }

  /// Converts an error for the caller. An error about a lock contains the request that waited.
  func translating(_ error: any Error, of request: StoreRequest) -> any Error {
    if case DatabaseError.locked = error {
      return StoreError.locked(file, for: request, after: options.lockTimeout)
    }
    return StoreError.translating(error, in: store.metadata.uuid, of: request.entity)
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
  /// Runs requests with a time limit, which includes the time to wait for other requests and for locks. When the time
  /// is over, the current request is interrupted and rolled back.
  ///
  ///     let done = try await store.within(.seconds(2)) { try await store.batchUpdate(update) }
  ///
  /// Each request is a separate change, so the completed requests aren't rolled back. Use `transaction` to combine
  /// several requests.
  ///
  /// - Parameters:
  ///   - limit: the maximum duration.
  ///   - work: runs the requests.
  /// - Returns: the result of `work`.
  /// - Throws: the errors of `work`; `StoreError` with the reason `timedOut`, whose message contains the status of the
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
          // The work has ended, or the task was cancelled.
        }
        return nil
      }
      defer { group.cancelAll() }
      if let result = try await group.next() ?? nil { return result }
      let isCancelled = Task.isCancelled
      // Create the message before the request is cancelled, because it contains the request's status.
      let failure = StoreError.timedOut(file, after: limit, requests.run.map { status(of: $0) })
      group.cancelAll()
      do {
        // The work may have ended in time.
        if let result = try await group.next() ?? nil { return result }
      } catch let error as CancellationError {
        throw isCancelled ? error : failure
      }
      throw CancellationError()
    }
  }

  /// Returns the status of a request for the message of a timeout.
  private func status(of run: RequestRun) -> String {
    guard run.isRunning else {
      return "\(run.request) was waiting for \(turn.description)"
    }
    if let wait = store.database.currentLockWait {
      return "\(run.request) has waited \(wait.inWords) for the lock of another process"
    }
    return "\(run.request) was running"
  }
}
