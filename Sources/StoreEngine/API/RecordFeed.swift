import Dispatch
import Synchronization

/// A queue that passes records from a task to a thread. A full queue suspends the task, and an empty queue blocks the
/// thread.
package final class RecordFeed<Record: Sendable>: Sendable {
  fileprivate struct State {
    var records: [Record] = []
    /// Set after the last record.
    var end: Result<Void, any Error>?
    /// Resumes the task, which is suspended while the queue is full.
    var sender: CheckedContinuation<Void, Never>?
    var isReaderWaiting = false
    /// The records that the thread has taken but not read yet, in reverse order.
    var taken: [Record] = []
  }

  private let limit: Int
  private let state = Mutex(State())
  private let arrival = DispatchSemaphore(value: 0)

  /// - Parameter limit: the number of records after which the queue is full.
  package init(limit: Int = 512) { self.limit = limit }

  // MARK: The task

  /// Fills the empty queue. Returns false if these are all records of the sequence.
  func begin(_ iterator: inout some IteratorProtocol<Record>) -> Bool {
    let records = iterator.next(upTo: limit)
    return state.withLock { state in
      state.records = records
      if records.count < limit { state.end = .success(()) }
      return state.end == nil
    }
  }

  /// Passes the next records of a sequence to the thread, and then the end. Reads the sequence on the caller's actor.
  nonisolated(nonsending) func fill(from iterator: inout some IteratorProtocol<Record>) async {
    while true {
      let records = iterator.next(upTo: limit)
      guard await send(records) else { return }
      guard records.count == limit else { return end(.success(())) }
      // Other work of the actor doesn't wait until all records are read.
      await Task.yield()
    }
  }

  /// Passes the records of a sequence to the thread, and then the end or the error of the sequence.
  package func fill<Records: AsyncSequence>(from records: Records) async
  where Records.Element == Record {
    do {
      for try await record in records {
        guard await send(CollectionOfOne(record)) else { return }
      }
      // Some sequences end without an error when their task is cancelled.
      try Task.checkCancellation()
      end(.success(()))
    } catch {
      end(.failure(error))
    }
  }

  /// Returns false if the queue was ended.
  private nonisolated(nonsending) func send(
    _ records: some Collection<Record> & Sendable
  ) async -> Bool {
    while true {
      let (isOver, isFull, isAwaited) = state.withLock { $0.put(records, limit: limit) }
      if isAwaited { arrival.signal() }
      guard !isOver else { return false }
      guard isFull else { return true }
      await roomToSend()
    }
  }

  private func roomToSend() async {
    await withCheckedContinuation { continuation in
      let hasRoom = state.withLock { state in
        guard state.end == nil, state.records.count >= limit else { return true }
        state.sender = continuation
        return false
      }
      if hasRoom { continuation.resume() }
    }
  }

  // MARK: Either side

  /// Ends the queue and wakes the task and the thread. Only the first call has an effect.
  package func end(_ result: Result<Void, any Error>) {
    let (sender, isAwaited) = state.withLock { state in
      if state.end == nil { state.end = result }
      defer { (state.sender, state.isReaderWaiting) = (nil, false) }
      return (state.sender, state.isReaderWaiting)
    }
    if isAwaited { arrival.signal() }
    sender?.resume()
  }

  // MARK: The thread

  /// Returns the next record, or nil at the end.
  ///
  /// - Throws: the error of the sequence, or the error that was passed to `end`.
  package func next() throws -> Record? {
    while true {
      let (record, end, sender) = state.withLock { $0.take() }
      sender?.resume()
      if let record { return record }
      if let end {
        try end.get()
        return nil
      }
      arrival.wait()
    }
  }
}

extension RecordFeed.State {
  fileprivate mutating func put(
    _ new: some Collection<Record>, limit: Int
  ) -> (isOver: Bool, isFull: Bool, isAwaited: Bool) {
    guard end == nil else { return (true, false, false) }
    guard records.count < limit else { return (false, true, false) }
    records.append(contentsOf: new)
    defer { isReaderWaiting = false }
    return (false, false, isReaderWaiting)
  }

  /// Returns the next record or the end. Returns neither if the thread has to wait.
  fileprivate mutating func take() -> (
    Record?, end: Result<Void, any Error>?, sender: CheckedContinuation<Void, Never>?
  ) {
    // An error discards the records that weren't read yet.
    if case .failure? = end { return (nil, end, nil) }
    if let record = taken.popLast() { return (record, nil, nil) }
    guard !records.isEmpty else {
      isReaderWaiting = end == nil
      return (nil, end, nil)
    }
    taken = records.reversed()
    records.removeAll(keepingCapacity: true)
    defer { sender = nil }
    return (taken.popLast(), nil, sender)
  }
}

extension IteratorProtocol {
  fileprivate mutating func next(upTo limit: Int) -> [Element] {
    var elements: [Element] = []
    while elements.count < limit, let element = next() { elements.append(element) }
    return elements
  }
}
