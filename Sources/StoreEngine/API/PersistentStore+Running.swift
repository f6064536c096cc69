import SQLiteAccess
import StoreDiagnostics
import StoreCore

// Every request comes through here: to the thread on which it may block, in its turn, followed and limited.
extension PersistentStore {
  /// Runs work in its turn.
  ///
  /// - Throws: `StoreError`, `CancellationError`; an error of the caller's own as it is.
  func perform<Result: Sendable>(
    _ request: StoreRequest,
    _ work: @escaping @Sendable (Cancellation, RequestRun?) throws -> Result
  ) async throws -> Result {
    try await followed(request) { run in try await inTurn(request, run, work) }
  }

  /// Runs work that only reads, beside what writes where that can be.
  ///
  /// - Parameter once: it does so with one statement, and needs no transaction.
  /// - Throws: as `perform`.
  func performReading<Result: Sendable>(
    _ request: StoreRequest, once: Bool = false,
    _ work: @escaping @Sendable (Connection, Cancellation, RequestRun?) throws -> Result
  ) async throws -> Result {
    try await followed(request) { run in
      let reading = { @Sendable [self] (reader: Store, cancellation: Cancellation) in
        let body = { [store] (connection: Connection) in
          // What the model needs of the file is known to the store alone.
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
      // What closes the store is never too late.
      waitingAtMost: request.kind == .close ? nil : options.turnTimeout,
      orThrowing: lateness(of: request) { [turn] in turn.description }
    ) { [self] cancellation in
      do {
        try requireOpen()
        // What has been written is seen at once, not by and by.
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

  /// Tells the observer of a request, and the limit around it.
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

  /// Nil where nobody wants to know.
  func follow(_ request: StoreRequest) -> RequestRun? {
    let observer = options.observer.flatMap { $0.begin(request, on: path) }
    let limit = RequestLimit.current
    guard observer != nil || limit != nil else { return nil }
    let run = RequestRun(request, observer: observer)
    limit?.note(run)
    return run
  }

  var openReaders: Int { readers?.openCount ?? 0 }

  /// As one that callers know; it says which request has waited for a lock.
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
  /// Runs requests that may take so long, the waiting for their turns and for locks included. When the time is over, the
  /// one that runs is ended and rolled back.
  ///
  ///     let done = try await store.within(.seconds(2)) { try await store.batchUpdate(update) }
  ///
  /// Each request is a change of its own: those that are done stay done. `transaction` makes one of several.
  ///
  /// - Throws: what `work` throws; `StoreError` with the reason `timedOut`, which says what the last request was
  ///   waiting for; `CancellationError`.
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
          // The work is done, or cancelled from outside.
        }
        return nil
      }
      defer { group.cancelAll() }
      if let result = try await group.next() ?? nil { return result }
      let isCancelled = Task.isCancelled
      // Before the request is ended, and with it what it waits for.
      let failure = StoreError.timedOut(file, after: limit, requests.run.map { status(of: $0) })
      group.cancelAll()
      do {
        // It may be done just now.
        if let result = try await group.next() ?? nil { return result }
      } catch let error as CancellationError {
        throw isCancelled ? error : failure
      }
      throw CancellationError()
    }
  }

  /// What a request is at, for a sentence.
  private func status(of run: RequestRun) -> String {
    guard run.isRunning else {
      return "\(run.request) waited for its turn behind \(turn.description)"
    }
    if let wait = store.database.currentLockWait {
      return "\(run.request) waited \(wait.inWords) for another process that holds the store"
    }
    return "\(run.request) was at work"
  }
}
