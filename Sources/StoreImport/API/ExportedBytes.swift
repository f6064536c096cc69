import Dispatch
import RecordFormats
import StoreDiagnostics
import StoreEngine
import Synchronization

/// The text of an export in pieces, which end anywhere. `PersistentStore.exportedBytes` creates it.
public struct ExportedBytes: AsyncSequence, Sendable {
  let store: PersistentStore
  let request: ExportRequest
  let format: ExportFormat

  /// Returns an iterator that reads the rows from a separate connection.
  ///
  /// - Returns: the iterator.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(cursor: ExportCursor(self)) }

  /// An iterator over the pieces of an export.
  public struct AsyncIterator: AsyncIteratorProtocol {
    let cursor: ExportCursor

    /// Returns the next piece, or `nil` at the end.
    ///
    /// - Returns: the bytes.
    /// - Throws: `StoreError` if reading fails; `CancellationError`.
    public mutating func next() async throws -> [UInt8]? { try await cursor.next() }
  }
}

/// One iteration over an export. A task runs the export until the cursor is released.
final class ExportCursor: @unchecked Sendable {
  private let source: ExportedBytes
  private let pieces = PieceQueue()
  // Only accessed by the task that reads the pieces.
  private var task: Task<Void, Never>?

  init(_ source: ExportedBytes) { self.source = source }

  deinit { cancel() }

  /// - Throws: `StoreError`, `CancellationError`.
  func next() async throws -> [UInt8]? {
    if task == nil { start() }
    return try await withTaskCancellationHandler {
      try await pieces.next()
    } onCancel: {
      cancel()
    }
  }

  private func start() {
    task = Task { [source, pieces] in
      do {
        _ = try await source.store.readingApart(for: .export) { reading in
          try source.request.write(reading, as: source.format, to: pieces, nil)
        }
        pieces.end(.success(()))
      } catch {
        pieces.end(.failure(error))
      }
    }
  }

  private func cancel() {
    pieces.end(.failure(CancellationError()))
    task?.cancel()
  }
}

/// A queue that passes bytes from a thread to a task. A full queue blocks the thread, and an empty queue suspends the
/// task.
private final class PieceQueue: ByteSink {
  private struct State {
    var pieces: [[UInt8]] = []
    /// Set after the last piece, or when the task is cancelled.
    var end: Result<Void, any Error>?
    /// Resumes the task, which is suspended while the queue is empty.
    var reader: CheckedContinuation<Void, Never>?
    var isWriterWaiting = false
  }

  /// The number of pieces after which the queue is full.
  private static let limit = 4

  private let state = Mutex(State())
  private let room = DispatchSemaphore(value: 0)

  /// - Throws: `Cancelled` if the queue was ended.
  func write(_ bytes: UnsafeBufferPointer<UInt8>) throws {
    guard !bytes.isEmpty else { return }
    while true {
      let (isOver, isFull, reader) = state.withLock {
        state -> (Bool, Bool, CheckedContinuation<Void, Never>?) in
        guard state.end == nil else { return (true, false, nil) }
        guard state.pieces.count < Self.limit else {
          state.isWriterWaiting = true
          return (false, true, nil)
        }
        state.pieces.append(Array(bytes))
        defer { state.reader = nil }
        return (false, false, state.reader)
      }
      reader?.resume()
      guard !isOver else { throw Cancelled() }
      guard isFull else { return }
      room.wait()
    }
  }

  /// Ends the queue, and wakes the task and the thread. Only the first call has an effect. An error discards the pieces
  /// that weren't read yet.
  func end(_ result: Result<Void, any Error>) {
    let (reader, isWriterWaiting) = state.withLock { state in
      if state.end == nil { state.end = result }
      defer { (state.reader, state.isWriterWaiting) = (nil, false) }
      return (state.reader, state.isWriterWaiting)
    }
    if isWriterWaiting { room.signal() }
    reader?.resume()
  }

  /// Returns the next piece, or nil at the end.
  ///
  /// - Throws: the error that was passed to `end`.
  func next() async throws -> [UInt8]? {
    while true {
      let (piece, end, isWriterWaiting) = state.withLock {
        state -> ([UInt8]?, Result<Void, any Error>?, Bool) in
        if case .failure? = state.end { return (nil, state.end, false) }
        guard !state.pieces.isEmpty else { return (nil, state.end, false) }
        defer { state.isWriterWaiting = false }
        return (state.pieces.removeFirst(), nil, state.isWriterWaiting)
      }
      if isWriterWaiting { room.signal() }
      if let piece { return piece }
      if let end {
        try end.get()
        return nil
      }
      await arrival()
    }
  }

  private func arrival() async {
    await withCheckedContinuation { continuation in
      let isReady = state.withLock { state in
        guard state.end == nil, state.pieces.isEmpty else { return true }
        state.reader = continuation
        return false
      }
      if isReady { continuation.resume() }
    }
  }
}
