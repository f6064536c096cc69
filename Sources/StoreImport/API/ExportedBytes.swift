import RecordFormats
import StoreEngine

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
  private let feed = ResultFeed<[UInt8]>(limit: 2) { _ in 1 }
  // Only accessed by the task that reads the pieces.
  private var task: Task<Void, Never>?
  private var pieces: ArraySlice<[UInt8]> = []

  init(_ source: ExportedBytes) { self.source = source }

  deinit { cancel() }

  /// - Throws: `StoreError`, `CancellationError`.
  func next() async throws -> [UInt8]? {
    try await withTaskCancellationHandler {
      try Task.checkCancellation()
      if task == nil { start() }
      if pieces.isEmpty { pieces = try await feed.next()?[...] ?? [] }
      return pieces.popFirst()
    } onCancel: {
      // Otherwise the export would wait, and keep its read transaction open.
      cancel()
    }
  }

  private func start() {
    task = Task { [source, feed] in
      do {
        _ = try await source.store.readingApart(for: .export) { reading in
          try source.request.write(reading, as: source.format, to: PieceSink(feed: feed), nil)
        }
        feed.end()
      } catch {
        feed.end(.failure(error))
      }
    }
  }

  private func cancel() {
    feed.end(.failure(CancellationError()))
    task?.cancel()
  }
}

/// Passes the text of an export to a queue.
private struct PieceSink: ByteSink {
  let feed: ResultFeed<[UInt8]>

  func write(_ bytes: UnsafeBufferPointer<UInt8>) throws {
    if !bytes.isEmpty { try feed.send(Array(bytes)) }
  }
}
