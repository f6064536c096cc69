import Dispatch
import StorePredicate
import Synchronization

/// Hands records from a task to a thread. The task is suspended while enough of them wait; the thread
/// is blocked while none do.
final class RecordFeed: Sendable {
  typealias Record = [String: Value]

  fileprivate struct State {
    var records: [Record] = []
    /// Set when no more records come.
    var end: Result<Void, any Error>?
    /// The task, while there is no room.
    var sender: CheckedContinuation<Void, Never>?
    var isReaderWaiting = false
    /// What the thread has taken out and not read, last record first.
    var taken: [Record] = []
  }

  private static let limit = 512

  private let state = Mutex(State())
  private let arrival = DispatchSemaphore(value: 0)

  // MARK: The task

  /// Passes on all records of a sequence, and how it ends.
  func fill<Records: AsyncSequence>(from records: Records) async where Records.Element == Record {
    do {
      for try await record in records {
        guard await send(record) else { return }
      }
      // Some sequences of a cancelled task end as if that was all.
      try Task.checkCancellation()
      end(.success(()))
    } catch {
      end(.failure(error))
    }
  }

  /// False when nobody wants more.
  private func send(_ record: Record) async -> Bool {
    while true {
      let (isOver, isFull, isAwaited) = state.withLock { $0.put(record, limit: Self.limit) }
      if isAwaited { arrival.signal() }
      guard !isOver else { return false }
      guard isFull else { return true }
      await roomToSend()
    }
  }

  private func roomToSend() async {
    await withCheckedContinuation { continuation in
      let hasRoom = state.withLock { state in
        guard state.end == nil, state.records.count >= Self.limit else { return true }
        state.sender = continuation
        return false
      }
      if hasRoom { continuation.resume() }
    }
  }

  // MARK: Either side

  /// Ends the flow: both sides learn of it where they wait. The first end counts.
  func end(_ result: Result<Void, any Error>) {
    let (sender, isAwaited) = state.withLock { state in
      if state.end == nil { state.end = result }
      defer { (state.sender, state.isReaderWaiting) = (nil, false) }
      return (state.sender, state.isReaderWaiting)
    }
    if isAwaited { arrival.signal() }
    sender?.resume()
  }

  // MARK: The thread

  /// The next record; nil at the end.
  ///
  /// - Throws: what the sequence has thrown, or the error that the feed was ended with.
  func next() throws -> Record? {
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
    _ record: RecordFeed.Record, limit: Int
  ) -> (isOver: Bool, isFull: Bool, isAwaited: Bool) {
    guard end == nil else { return (true, false, false) }
    guard records.count < limit else { return (false, true, false) }
    records.append(record)
    defer { isReaderWaiting = false }
    return (false, false, isReaderWaiting)
  }

  /// The next record, or how the records end; neither when the thread has to wait.
  fileprivate mutating func take() -> (
    RecordFeed.Record?, end: Result<Void, any Error>?, sender: CheckedContinuation<Void, Never>?
  ) {
    // What came before a failure is not wanted any more.
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
